# Arguments in words, by a plan: what strace prints of such calls, but for structures and texts in the memory of the program.
events() { # events NAME NUMBER VALUE...: a call with these arguments; what it is called, its number says
	local name=$1 number=$2 fields='' values='' i=0
	shift 2
	for value; do
		fields+=" a$i:8" values+=" a$i=$value" i=$((i + 1))
	done
	grep -qs "sys_enter_${name}_ " declared || echo "event syscalls sys_enter_${name}_ $((3100 + number)) __syscall_nr:4 pad:4$fields" >>declared
	echo "0 $((at += 100)) 7 sys_enter_${name}_ __syscall_nr=$number$values" >>happened
}
show() {
	cat declared happened | plan "$DATA/openat2.dat" args.dat && ringside syscalls -q args.dat | sed 's/ <unfinished ...>//; s/^[^]]*\] //'
	rm -f declared happened
}
at=1000 all=0xffffffffffffffff
echo '# int and unsigned int are 32 bits of the register'
events personality 135 $all
events personality 135 0xdead00000000
events alarm 37 $all
events poll 7 0 0xdead00000001 $all
events reboot 169 0xfffffffffee1dead 0x28121969 0x4321fedc 0
events fallocate 285 3 0xffffffff00000001 0 $all
events lseek 8 3 $all 0
show
