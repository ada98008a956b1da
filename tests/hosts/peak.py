# SPDX-License-Identifier: GPL-2.0
"""peak.py COMMAND...: runs it, prints how many kB of memory it had at the most (it alone, without its children), and ends with its status."""
import os
import sys

pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss, flush=True)
sys.exit(os.waitstatus_to_exitcode(status))
