import { describe, expect, it } from 'vitest'
import { PLACES, rateShell, WORLD } from '../fixture.mts'
import { pathKey } from '../path/paths-to-resolve.ts'

/** Paths of the workspace as the gate would resolve them. */
function resolved(...paths: readonly string[]): typeof WORLD {
  const known = paths.map((path) => {
    const [name = '', real = `${PLACES.workspace}/${name}`] = path.split(' -> ')
    return [pathKey(name, ''), real] as const
  })
  return { ...WORLD, resolved: new Map(known) }
}

const proofs = (command: string, world = WORLD) => rateShell(command, world).parts.map(({ proven }) => proven)

describe('a command is proven to only read', () => {
  it.each([
    'ls -la src',
    'cat README.md | head -20',
    'grep -rn -A3 TODO src | sort -k2 | uniq -c',
    'git log --oneline -5 && git diff --stat',
    'git remote -v',
    'tail -fn 20 app.log',
    'sort --reverse names.txt 2>/dev/null',
    'if test -f a.txt; then wc -l a.txt; fi',
    '(cd src; ls)',
    'echo --not-an-option',
    "grep 'a$b' f",
  ])('%s', (command) => {
    expect(new Set(proofs(command))).toEqual(new Set(['reads']))
  })

  it.each([
    'ls --frob',
    'sort --compress-program=./x f',
    'sort -S1 --comp=./x f',
    'grep -r TODO *',
    'cat $X',
    'cat ~/notes.txt',
    'cat ../notes.txt',
    'PATH=. ls',
    'timeout 5 ./ls',
    'for PATH in .; do ls; done',
    'ls &',
    './ls',
    'printf -v x y',
    "test -v 'a[$(x)]'",
    'git -C x log',
    'cd x; git log',
    'git diff --ext-diff',
    'git remote show origin',
    'git remote -v show origin',
    'diff -l a b',
    'file -C -m magic',
    'tree -R -L 1',
    'npm ls',
    'make -n',
    'docker ps',
  ])('but not %s', (command) => {
    expect(proofs(command).at(-1)).toBeUndefined()
  })
})

describe('a command is proven to change only files of the workspace', () => {
  it.each([
    ['sort -o names.txt names.txt', 'names.txt'],
    ['sort -uonames.txt names.txt', 'names.txt'],
    ['echo x > notes.txt', 'notes.txt'],
    ['uniq a.txt b.txt', 'b.txt'],
  ])('%s', (command, path) => {
    expect(proofs(command, resolved(path))).toEqual(['changes'])
  })

  it.each([
    ['sort -o names.txt names.txt', 'names.txt -> /home/you/names.txt'],
    ['echo x > .env', '.env'],
    ['echo x > .vscode/tasks.json', '.vscode/tasks.json'],
    ['echo x > .git/hooks/pre-commit', '.git/hooks/pre-commit'],
    ['echo x > notes.txt', 'other.txt'],
    ['echo x > sub/.envrc', 'sub/.envrc'],
  ])('but not %s with %s', (command, path) => {
    expect(proofs(command, resolved(path))).toEqual([undefined])
  })
})
