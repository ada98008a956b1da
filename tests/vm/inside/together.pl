#!/usr/bin/perl
# The times from one event to another as two recordings tell them, beside those that the kernel measured:
#	together.pl BEFORE BEHIND FILE LEAST FROM KEY VALUE TO KEY
# BEFORE and BEHIND are what `export --to jsonl` says of the recordings; FILE is what `latency --json` wrote. KEY is a field of the event, or fields.FIELD where the
# line itself has that name; its VALUE is the same in both events. There are LEAST times or more, and as many in each of the three.
#
# The host may stop the emulator at any point, also between two clocks at one event, so that no tolerance is right. But the kernel calls who came later to a
# tracepoint later: BEFORE began before the measurement, and BEHIND began after it. So the measurement's clock at an event is between those of the two records.
# That gives each time a lower and an upper bound, and with them the sum, the least, the median and the most.
use strict;
use warnings;
use JSON::PP;
use List::Util qw(max sum);

my ($before, $behind, $file, $least, $from, $from_key, $value, $to, $to_key) = @ARGV;
s/^fields\.// for $from_key, $to_key;

sub in_order { return sort { $a <=> $b } @_ }

# pairs FILE: of each time in a recording [BEGIN, END] in ns
sub pairs {
	my ($path) = @_;
	my ($began, @pairs);
	open my $in, '<', $path or die "$path: $!\n";
	while (<$in>) {
		my $e = decode_json($_);
		if ($e->{event} eq $from && $e->{fields}{$from_key} == $value) {
			$began = $e->{ts};
		} elsif ($e->{event} eq $to && defined $began && $e->{fields}{$to_key} == $value) {
			push @pairs, [ $began, $e->{ts} ];
			undef $began;
		}
	}
	return @pairs;
}
my @before = pairs($before);
my @behind = pairs($behind);
open my $in, '<', $file or die "$file: $!\n";
my $ours = decode_json(do { local $/; <$in> })->{summary}[0];
printf "times recorded before: %d, measured: %d, recorded behind: %d\n", scalar @before, $ours->{count}, scalar @behind;
exit 1 if $ours->{count} < $least || @before != $ours->{count} || @behind != $ours->{count};

my (@low, @high, @wide);
for my $i (0 .. $#before) {
	push @low, max(0, $before[$i][1] - $behind[$i][0]);
	push @high, $behind[$i][1] - $before[$i][0];
	push @wide, $high[-1] - $low[-1];
}
# The lower bounds in their order bound the measured times in theirs, and so do the upper ones.
@$_ = in_order(@$_) for \@low, \@high, \@wide;
my $middle = int($#low / 2);
my %bounds = (
	sum => [ sum(@low), sum(@high) ],
	min => [ $low[0], $high[0] ],
	p50 => [ 0.99 * $low[$middle], 1.01 * $high[$middle] ],
	max => [ $low[-1], $high[-1] ],
);
my $bad = 0;
for (sort keys %bounds) {
	my ($least, $most) = @{ $bounds{$_} };
	printf "%s: measured %d, recorded from %d to %d\n", $_, $ours->{$_}, $least, $most;
	$bad = 1 if $ours->{$_} < $least || $ours->{$_} > $most;
}
# Bounds that are far apart would let everything pass. The emulator stands still now and then, but not in every other of the times.
printf "the bounds of a time are %d apart in the middle\n", $wide[$middle];
exit($bad || $wide[$middle] > 100_000);
