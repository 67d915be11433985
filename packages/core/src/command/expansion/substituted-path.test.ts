// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import { describe, expect, it } from 'vitest'
import { decompose } from '../decompose.ts'

/** Returns the words of the last simple command. */
const words = (source: string) =>
  decompose(source)
    .parts.filter(({ program }) => program === 'use')
    .at(-1)
    ?.args.map(({ value }) => value)

describe('a substitution that produces a path', () => {
  it.each([
    ['use "$(pwd)/a"', './a'],
    ['use $(pwd -P)', '.'],
    ['use `pwd`/a', './a'],
    ['use "$(git rev-parse --show-toplevel)/a"', './a'],
    ['use "$(git rev-parse --show-toplevel 2>/dev/null)"', '.'],
    ['use $(mktemp)', '/tmp/tmp.XXXXXXXXXX'],
    ['d=$(mktemp -d); use "$d/a"', '/tmp/tmp.XXXXXXXXXX/a'],
    ['use $(mktemp -t a.XXX)', '/tmp/a.XXX'],
    ['use $(mktemp a.XXX)', 'a.XXX'],
    ['use $(mktemp -d -p out)', 'out/tmp.XXXXXXXXXX'],
    ['use $(date +%F).sql', '*.sql'],
    ['use a-$(hostname)-$$.log', 'a-*-*.log'],
    ['use "${HOME:?}/a"', '~/a'],
    ['use /home/$USER/a', '~/a'],
    ['use "/Users/$(whoami)"', '~'],
  ])('%s returns %s', (source, value) => {
    expect(words(source)).toEqual([value])
  })

  it.each([
    'use $(pwd; id)',
    'use $(pwd > a)',
    'use $(git rev-parse HEAD)',
    'use $(date)',
    'TMPDIR=x; use $(mktemp)',
    'use $(TMPDIR=x mktemp)',
    'use $(mktemp "$x")',
    'use https://x.example/$(hostname)',
    'USER=$x; use /home/$USER',
    'cd /; d=$(cat x); use $d',
  ])('%s returns nothing known', (source) => {
    expect(words(source)).toEqual([null])
  })

  it('keeps its value when the folder changes later', () => {
    expect(words('cd /srv; d=$(pwd); cd app; use $d/a')).toEqual(['/srv/a'])
    expect(words('cd ~; d=$PWD; cd app; use $d')).toEqual(['~'])
    expect(words('d=$(pwd); cd /; use $d')).toEqual([null])
    expect(words('d=$(pwd); use $d')).toEqual(['.'])
  })
})
