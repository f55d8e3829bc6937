# What Devel::NYTProf::Data makes of each FILE, as one JSON object by path: lines, subs, call sites, messages. Evals stay apart.
#   perl load.pl FILE...
use strict;
use warnings;
use JSON::PP;
use Devel::NYTProf::Data;
use Devel::NYTProf::Constants qw(NYTP_SCi_CALL_COUNT NYTP_SCi_INCL_RTIME NYTP_SCi_EXCL_RTIME NYTP_SCi_RECI_RTIME NYTP_SCi_REC_DEPTH NYTP_SCi_CALLING_SUB);

my %all;
sub text { my $n = shift; utf8::decode($n) unless utf8::is_utf8($n); return $n }

for my $path (@ARGV) {
    my @messages;
    local $SIG{__WARN__} = sub { push @messages, $_[0] };
    my $p = eval { Devel::NYTProf::Data->new({ filename => $path, quiet => 1, skip_collapse_evals => 1 }) };
    if (!$p) { $all{$path} = { error => "$@" }; next }
    my $tps = $p->attributes->{ticks_per_sec};
    my (@lines, %subs, @files);
    for my $fi ($p->all_fileinfos) {
        push @files, text($fi->filename);
        my $times = $p->{fid_line_time}[$fi->fid] or next;
        for my $n (0 .. $#$times) {
            my $x = $times->[$n] or next;
            push @lines, [text($fi->filename), $n, $x->[1] + 0, 0 + sprintf('%.0f', $x->[0] * $tps)];
        }
    }
    my $map = $p->subname_subinfo_map;
    for my $name (keys %$map) {
        my $s = $map->{$name};
        my @callers;
        for my $place ($s->caller_places) {
            my ($fid, $line, $c) = @$place;
            push @callers, [text($p->fileinfo_of($fid)->filename), $line + 0, $c->[NYTP_SCi_CALL_COUNT] + 0, $c->[NYTP_SCi_INCL_RTIME] + 0,
                $c->[NYTP_SCi_EXCL_RTIME] + 0, ($c->[NYTP_SCi_RECI_RTIME] || 0) + 0, ($c->[NYTP_SCi_REC_DEPTH] || 0) + 0,
                join(' ', map { text($_) } sort keys %{ $c->[NYTP_SCi_CALLING_SUB] || {} })];
        }
        $subs{ text($name) } = { kind => $s->kind, calls => $s->calls + 0, incl => $s->incl_time + 0, excl => $s->excl_time + 0,
            reci => ($s->recur_incl_time || 0) + 0, depth => ($s->recur_max_depth || 0) + 0, callers => \@callers };
    }
    $all{$path} = { lines => \@lines, subs => \%subs, files => \@files, messages => \@messages, source => join('', map { @{ $_ || [] } ? join('', map { $_ // '' } @$_) : () } @{ $p->{fid_srclines} || [] }) };
}
print JSON::PP->new->canonical->utf8->encode(\%all);
