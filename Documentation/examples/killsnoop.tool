help	signals that programs send, to whom, and with which result
command	syscalls
call	kill,tkill,tgkill,rt_sigqueueinfo,rt_tgsigqueueinfo,pidfd_send_signal
option	-e signal=none
option	-e quiet=exit
option	-a
option	-Y
