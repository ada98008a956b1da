# The kernel's event of an end does not say how it came: that is put together from what exit was called with, and the signals that were sent.
help	tasks that end, and with which status
note	The status of a task that ends by a signal whose sending was not seen is shown as ?.
command	syscalls
call	none
option	-e signal=none
option	-a
option	-Y
option	-tt
