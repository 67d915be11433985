import { describe, expect, it } from 'vitest'
import { whyUnclearPerl } from './perl.ts'

describe('Perl on the command line', () => {
  it.each([
    'print',
    'print if /a/',
    'print "$F[0] $F[1]\\n"',
    'print join(",", sort qw(b a)), "\\n"',
    's/pear/plum/g',
    's|a/b|c|',
    'tr/a-z/A-Z/; print',
    '$n++ if /x$/; END { print $n }',
    'BEGIN { $x = 0 } $x += $F[1]; END { print $x }',
    'print sort { $a <=> $b } @F',
    'if ($x eq "a") { print "yes" } else { print STDERR "no\\n" }',
    'my %h = map { $_ => 1 } @F; print join " ", keys %h',
    'use strict; my $x = 1; print $x',
  ])('is understood if it only computes and prints: %s', (code) => {
    expect(whyUnclearPerl(code)).toBeNull()
  })

  it.each([
    ['another program', 'system("ls")'],
    ['a command in quotes', 'print `ls`'],
    ['a file', 'open F, ">x"'],
    ['the environment', 'print $ENV{TOKEN}'],
    ['the environment by its name', '$x{a} = "ENV"; print $x{a}{TOKEN}'],
    ['the environment by its name in a text', '$x{a} = "ENV"; print "$x{a}{TOKEN}"'],
    ['a replacement that is code', 's/a/unlink "x"/e'],
    ['code in a pattern', '/(?{ unlink "x" })/'],
    ['code in a text', 'print "@{[unlink q(x)]}"'],
    ['an index that is code in a text', 'print "$x[unlink q(x)]"'],
    ['a file by the name in a variable', '$x = "ARGV"; print <$x>'],
    ['an operator that looks like an empty pattern', 'print shift //<$x>-1'],
    ['the old sign between names', "print'a . system(q(x)) . '"],
    ['the old sign after a word', "not'a'"],
    ['a module of the project', 'use Helper; print 1'],
    ['text that is run', 'eval "1"'],
    ['the end of the loop around it', '}{ print 1'],
    ['documentation', 'print 1;\n=head1\nprint 2'],
  ])('is unclear with %s', (_, code) => {
    expect(whyUnclearPerl(code)).not.toBeNull()
  })
})
