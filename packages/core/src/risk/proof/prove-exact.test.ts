import { describe, expect, it } from 'vitest'
import { decompose } from '../../command/decompose.ts'
import { PLACES, rateShell, WORLD } from '../fixture.mts'
import type { RiskCircumstances } from '../path/located-path.ts'
import { pathKey } from '../path/paths-to-resolve.ts'
import { treesRead } from '../path/trees-read.ts'

const { workspace } = PLACES

/** A world in which a pattern matches these names, and paths lead where they are spelled, or elsewhere. */
function matching(
  pattern: string,
  names: readonly string[],
  links: Readonly<Record<string, string>> = {},
): RiskCircumstances {
  const words = names.map((word) => ({ word, real: links[word] ?? `${workspace}/${word}` }))
  const resolved = new Map(Object.entries(links).map(([name, real]) => [pathKey(name, ''), real]))
  return { ...WORLD, resolved, expanded: new Map([[pathKey(pattern, ''), words]]) }
}

function proof(command: string, world: RiskCircumstances = WORLD): string {
  return [...new Set(rateShell(command, world).parts.map(({ proven }) => proven ?? 'unproven'))].join()
}

describe('a command of more than plain words', () => {
  it.each([
    'x=41; echo $((x+1))',
    "p='wc -l'; $p < notes.txt",
    'while read -r l; do echo "$l"; done < notes.txt',
    'for f in a b; do wc -l "$f"; done',
    'show() { ls src; }; show',
    'timeout 5 ls',
    'comm <(sort a) <(sort b); true',
    'NO_COLOR=1 ls',
    'sleep 1 & wait',
    'cd src && cat ../notes.txt',
    'for f in src/*; do echo "$f"; done',
    'env -u GREETING ls src',
    "script -q -c 'ls src' /dev/null",
    '/bin/ls src',
  ])('is proven to only read: %s', (command) => {
    expect(proof(command)).toBe('reads')
  })

  it.each([
    'x=$(date); cat "$x"',
    'for f in a b; do ./run "$f"; done',
    'show() { ./ls src; }; show',
    'timeout 5 make',
    'LD_PRELOAD=./x.so ls',
    'cd src/none; cat ../../notes.txt',
    'x=../secret.txt; cat "$x"',
    'for f in src/*; do touch "$f"; done',
    'env -u GREETING ./ls src',
    "script -qc './ls src' /dev/null",
    'script -qc ls ../log',
    'script -q log',
    './bin/ls src',
    '/opt/bin/ls src',
  ])('is not proven: %s', (command) => {
    expect(proof(command)).toMatch(/unproven/)
  })

  it('is proven to change files of the workspace, but not next to others that use them', () => {
    const real: Readonly<Record<string, string>> = {
      'a.txt': `${workspace}/a.txt`,
      src: `${workspace}/src`,
      '.': workspace,
    }
    const world = { ...WORLD, resolved: new Map(Object.entries(real).map(([name, at]) => [pathKey(name, ''), at])) }
    expect(proof('x=a.txt; echo hi > "$x"', world)).toBe('changes')
    expect(proof('x=a.txt; echo hi > "$x" & ls src; wait', world)).toBe('changes')
    expect(proof('x=a.txt; echo hi > "$x" & cat a.txt; wait', world)).toBe('unproven')
    expect(proof('x=a.txt; echo hi > "$x" & ls .; wait', world)).toBe('unproven')
    expect(proof('x=a.txt; echo hi > "$x" & cat other.txt; wait', world)).toBe('unproven')
    expect(proof('x=.envrc; echo hi > "$x"', world)).toBe('unproven')
  })
})

describe('a word with wildcards', () => {
  it('is proven by the files that it matches', () => {
    expect(proof('cat n*.txt', matching('n*.txt', ['n1.txt', 'n2.txt']))).toBe('reads')
    expect(proof('head -5 *.csv', matching('*.csv', ['a.csv']))).toBe('reads')
    expect(proof('for f in n*.txt; do cat "$f"; done', matching('n*.txt', ['n1.txt']))).toBe('reads')
  })

  it('is proven as the value of an option, if nothing below the folder is secret', () => {
    const command = "grep -rh pear . --include='*.txt' --exclude=*.md"
    const key = decompose(command).parts.flatMap(treesRead)[0]?.key ?? ''
    expect(proof(command, { ...WORLD, below: new Map([[key, null]]) })).toBe('reads')
    expect(proof(command, { ...WORLD, below: new Map([[key, '.env']]) })).toBe('unproven')
    expect(proof(command)).toBe('unproven')
  })

  it.each<[string, string, RiskCircumstances]>([
    ['its matches are not known', 'cat n*.txt', WORLD],
    ['a match is an option', 'cat *.txt', matching('*.txt', ['-n.txt'])],
    ['a match leads elsewhere', 'cat n*', matching('n*', ['n'], { n: '/home/you/.ssh/id_rsa' })],
    ['a match is a secret', 'cat n* .e*', matching('.e*', ['.env'])],
    ['a match could be an option that writes', 'sort *.txt', matching('*.txt', ['a.txt'])],
    ['it may vanish before an output file', 'sort -o x*.txt names.txt', matching('x*.txt', [])],
    ['the command makes files', 'echo x > n3.txt; cat n*.txt', matching('n*.txt', ['n1.txt'])],
    ['a loop writes each match', 'for f in n*; do sort -o "$f" a; done', matching('n*', ['n1', 'n2'])],
  ])('is not proven if %s', (_, command, world) => {
    expect(proof(command, world)).toMatch(/unproven/)
  })
})

describe('a command that changes its folder', () => {
  it('is proven only if it is harmless in the folder before, too', () => {
    const links = { 'n.txt': '/home/you/.ssh/id_rsa' }
    expect(proof('cd src; cat n.txt')).toBe('reads')
    expect(proof('cd src; cat n.txt', matching('x', [], links))).toMatch(/unproven/)
    expect(proof('cd src && cat n.txt', matching('x', [], links))).toBe('reads')
  })

  it('is not proven by more paths than are resolved', () => {
    expect(proof(`cat ${Array.from({ length: 300 }, (_, at) => `f${at}`).join(' ')}`)).toBe('unproven')
  })
})
