# The prompt of sql with libedit: Tab completes, and what was typed is there again.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
ringside sql "$DATA/openat2.dat" 'SELECT 1' 2>&1 | grep -q 'without libsqlite3' && { echo "SKIP: no libsqlite3"; exit 0; }
python3 -c 'import ctypes; ctypes.CDLL("libedit.so.2")' 2>/dev/null && grep -aq 'libedit\.so\.2' "$(command -v ringside)" || { echo "SKIP: no libedit"; exit 0; }
export PAGER=cat TERM=xterm XDG_STATE_HOME=$PWD/state
talk() { timeout 100 "$TOP/tests/tools/type" script "$@"; }

echo "== Tab completes, and the history stays"
cat >script <<'END'
< sql> 
> SEL\t
< SELECT 
> count(*) FROM sched_waki\t
< sched_waking 
> WHERE target_c\t
< target_cpu 
> = 77;\n
< 0
< sql> 
> SELECT quan\t
< quantile(
> 1, 0.5) AS q;\n
< Q
< sql> 
> .sche\t
< .schema 
> losse\t
< losses 
> \n
< CREATE TABLE "losses"
< sql> 
> .quit\n
END
talk ringside sql "$DATA/events.dat"
cat >script <<'END'
< sql> 
> \x10\x10\n
< CREATE TABLE "losses"
< sql> 
> .quit\n
END
talk ringside sql "$DATA/events.dat"
stat -c %a "state/ringside/sql-history"
cat "state/ringside/sql-history"
