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
echo "no trace at all" >text.dat
ringside dump -v text.dat
