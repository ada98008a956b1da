ringside dump
echo "status $?"
ringside dump --nonesuch a
echo "status $?"
ringside dump a b
echo "status $?"
ringside dump --validate "$DATA/marker.dat" | sed "s,$DATA,DATA,"
head -c 917000 "$DATA/marker.dat" >cut.dat
ringside dump --validate cut.dat
echo "status $?"
# The section at the end describes the others, and no other command reads it.
head -c -1 "$DATA/marker.dat" >cut.dat
ringside dump --validate cut.dat
echo "status $?"
ringside report -i cut.dat >/dev/null
echo "status $?"
printf 'damaged here' >end
{ head -c -20 "$DATA/marker.dat"; cat end; tail -c 8 "$DATA/marker.dat"; } >cut.dat
ringside dump --validate cut.dat
echo "status $?"
echo "no trace at all" >text.dat
ringside dump -v text.dat
status=$?
cp "$DATA/events.dat" bad.dat
printf 'damaged here' | dd of=bad.dat bs=1 seek=920000 conv=notrunc status=none
ringside dump bad.dat >/dev/null && echo "the metadata are good"
ringside dump --validate bad.dat 2>err
echo "status $?"
head -1 err | grep -o '^.*damaged at offset 917508'
exit $status
