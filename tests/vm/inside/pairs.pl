# Which times passed between two events, told twice by recordings (export --to jsonl on stdin): by the two events' own time stamps, and by the kernel's
# synthetic event, whose field "lat" has us. Prints of each name in the order of their names "told NAME COUNT SUM MIN MIDDLE MIDDLE MAX" and "made NAME ...", in ns.
# Each event looks at the clock by itself, and in an emulated machine anything can come between: three of four times must agree within 10 us and a sixteenth.
#	pairs.pl FROM KEY TO KEY NAME [ID]: KEY and NAME name fields of the events, or "pid" and "comm"; with ID only events of this id count
use strict;
my ($from, $from_key, $to, $to_key, $name, $id) = @ARGV;
my (%begun, %told, %made, $bad);

# "fields.pid" is what stands behind the event's own pid.
sub field { my ($line, $field) = @_; $line =~ s/.*"fields":// if $field =~ s/^fields\.//; $line =~ /"\Q$field\E":"?([^",}]*)/ ? $1 : '' }
sub sums {
	my ($what, $name, @all) = @_;
	my $sum = 0;
	$sum += $_ for @all;
	@all = sort { $a <=> $b } @all;
	print "$what $name ", scalar @all, " $sum $all[0] $all[(@all - 1) / 2] $all[@all / 2] $all[-1]\n";
}
while (<STDIN>) {
	my ($event, $ts) = (field($_, 'event'), field($_, 'ts'));
	push @{ $made{ field($_, $name) } }, 1000 * field($_, 'lat') if $event =~ /^ringside_\d+$/;
	next if defined $id && field($_, 'id') ne $id;
	if ($event eq $to && defined(my $begin = delete $begun{ field($_, $to_key) })) {
		push @{ $told{ field($_, $name) } }, $ts - $begin;
	}
	$begun{ field($_, $from_key) } = $ts if $event eq $from;
}
for my $who (sort grep /^(uname|grep|expr)$/, keys %told) {
	my @told = @{ $told{$who} };
	my @made = @{ $made{$who} || [] };
	my @far = grep { my $far = abs($told[$_] - $made[$_]); $far > 10000 + $told[$_] / 16 } 0 .. $#told;
	sums('told', $who, @told);
	sums('made', $who, @made) if @made;
	next if @told == @made && @far <= @told / 4;
	print STDERR "$who: ", scalar @told, " pairs, ", scalar @made, " synthetic events, far apart: ", join(' ', map { "$told[$_]/$made[$_]" } @far), "\n";
	$bad = 1;
}
exit($bad || keys %told < 3);
