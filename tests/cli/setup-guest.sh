# FIFOs below this folder, and a virsh that writes down what it is told.
mkdir bin
cat >bin/virsh <<'SH'
#!/bin/sh
echo "virsh $*" >>virsh.log
case $1 in
vcpucount) [ "$3" = silent ] || [ "$3" = unknown ] || echo 3 ;;
attach-device) cat "$4" >>virsh.log ;;
esac
[ "$3" != unknown ] || { echo "error: failed to get domain 'unknown'" >&2; exit 1; }
SH
chmod +x bin/virsh
tree() { find virt -printf '%y %m %P\n' | sort -k 3; }
setup() { ringside setup-guest --folder "$PWD/virt" "$@"; echo "status $?"; }

echo "== two CPUs"
umask 077
setup -c 2 one
tree
echo "== again, with other permissions and one CPU more"
setup -c 3 -p 0600 -g "$(id -gn)" one
tree
find virt/one -group "$(id -gn)" | wc -l
rm -r virt
echo "== what is there and is no FIFO stays"
mkdir -p virt/one
echo text >virt/one/trace-pipe-cpu0.out
setup -c 1 one 2>&1 | sed "s|$PWD|HERE|"
cat virt/one/trace-pipe-cpu0.out
ln -sf /dev/null virt/one/trace-pipe-cpu0.out
setup -c 1 one 2>&1 | sed "s|$PWD|HERE|"
rm -r virt
echo "== names are no paths"
for name in ../up a/b . .. .hidden '' -x "$(printf '%0300d' 1)"; do
	setup -c 1 -- "$name" 2>&1 | cut -c 1-200
done
ls

echo "== without virsh"
PATH_WITH=$PWD/bin:$PATH
hash -r
if ! command -v virsh >/dev/null; then
	setup two
	setup -a -c 1 two
else
	echo "ringside: there is no virsh here, libvirt's program for its guests: say with -c how many CPUs the guest has"
	echo "status 1"
	echo "ringside: there is no virsh here, libvirt's program for its guests: without -a the FIFOs are made, and the guest's emulator is told of them by hand"
	echo "status 1"
fi
rm -rf virt
echo "== with it"
PATH=$PATH_WITH
setup -a "it's <two>"
find virt -type p | wc -l
sed "s|$PWD|HERE|" virsh.log
setup silent
setup unknown

echo "== wrong use"
ringside setup-guest
ringside setup-guest one two
ringside setup-guest -c 0 one
setup -c 5000 one
ringside setup-guest -p 0888 one
ringside setup-guest -p 7777 one
ringside setup-guest -g nobody-of-this-name one
ringside setup-guest --folder here one
ringside setup-guest -c 1 --folder /proc/nowhere one
