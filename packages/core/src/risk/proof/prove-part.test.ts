import { describe, expect, it } from 'vitest'
import { decompose } from '../../command/decompose.ts'
import { PLACES, rateShell, WORLD } from '../fixture.mts'
import { pathKey } from '../path/paths-to-resolve.ts'
import { treesRead } from '../path/trees-read.ts'

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
    'grep -n -A3 TODO src/a.ts | sort -k2 | uniq -c',
    'git log --oneline -5 && git diff --stat',
    'git remote -v',
    'tail -fn 20 app.log',
    'sort --reverse names.txt 2>/dev/null',
    'if test -f a.txt; then wc -l a.txt; fi',
    '(cd src; ls)',
    'echo --not-an-option',
    'curl -sS file:///home/you/app/notes.txt',
    "awk -F, 'NR>1 || $2 {s+=$2} END{print s}' data.csv",
    "jq -r --arg x y '.[$x]' data.json",
    'echo 1+1 | bc -l',
    'printenv LANG',
    'getent hosts localhost',
    `awk 'BEGIN{while((getline l < "notes.txt")>0) print l}'`,
    'pip list --format=freeze',
    'apt-cache policy bash',
    'dpkg -L bash',
    'ip -br addr',
    'openssl dgst -sha256 notes.txt',
    'openssl x509 -in cert.pem -noout -text',
    "sqlite3 :memory: '.mode csv' 'select 1,2'",
    'cal 2026',
    'locale -a',
    "grep 'a$b' f",
    'ps -eo pid,ppid,comm --sort=-pcpu',
    'ps -p 1,2 -o pid=,etime=',
    'run-parts --list jobs',
    'run-parts --test --reverse jobs',
  ])('%s', (command) => {
    expect(new Set(proofs(command))).toEqual(new Set(['reads']))
  })

  it.each([
    'ls --frob',
    'ps -eo pid,args',
    'ps -o pid= -o command= -p 1',
    'ps -p1 -oargs',
    'ps -ef',
    'ps aux',
    'run-parts jobs',
    'run-parts --test -a --list jobs',
    'run-parts --regex --list jobs',
    'run-parts -- jobs --list',
    'getent hosts a.example',
    'git grep --no-index x',
    'git grep --untracked x',
    "sed -i'../*' s/a/b/ f",
    'sed -ic s/a/b/ f',
    'sed --in-place=.md s/a/b/ f',
    `awk 'BEGIN{while((getline l < name)>0) print l}'`,
    `awk 'BEGIN{while((getline l < "/inet/tcp/0/a.example/80")>0) print l}'`,
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
    'grep -rn TODO src',
    'sort --files0-from=list',
    'sha256sum -c list',
    'strings @list',
    'date 01010000',
    "jq -n 'env'",
    "jq -n '$ENV.HOME'",
    'jq -f a.jq data.json',
    'sed -l p notes.txt',
    'fmt -p notes.txt',
    'tac -n 1 notes.txt',
    "curl -s -w '%output{x}' file:///home/you/app/x",
    'curl -s -w @x file:///home/you/app/x',
    'curl -s file:///home/you/app/x?y',
    'curl -s http://127.0.0.1/x',
    'curl -s --url file:///home/you/app/x',
    "awk '{print $1 > $2}' notes.txt",
    "awk 'BEGIN{while (getline l) print l}'",
    'awk \'BEGIN{print ENVIRON["A"]}\'',
    "awk '{print | $1}' notes.txt",
    "awk '@x()' notes.txt",
    'awk -f a.awk notes.txt',
    'printenv TOKEN',
    'pip list --outdated',
    'pip download x',
    'apt list -o x=y',
    'dpkg -l -i x.deb',
    'ip link set lo down',
    'ip -n x a',
    'nm --plugin ./x.so a.o',
    'openssl dgst -engine ./x notes.txt',
    'openssl enc -aes-256-cbc -pass file:x -in notes.txt',
    "sqlite3 app.db 'select 1'",
    'sqlite3 :memory: "select readfile(\'x\')"',
    "sqlite3 :memory: '.shell id'",
    "printf 'abc%n' PATH",
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
    ['xxd -cols 5 a.txt b.txt', 'b.txt -> /etc/profile.d/b.sh'],
    ['cp a.txt /etc/profile.d/b.sh --sparse always', 'always'],
    ['tree -Lo 1 b.txt', 'b.txt -> /etc/profile.d/b.sh'],
  ])('but not %s with %s', (command, path) => {
    expect(proofs(command, resolved(path))).toEqual([undefined])
  })
})

describe('a name without a slash', () => {
  const linked = resolved('k -> /home/you/.ssh/id_rsa', 'notes.txt')

  it.each([
    'grep x k',
    'grep -e x k',
    'grep -nex k',
    'grep -c -- x k',
    'jq . k',
    'jq --arg a b . k',
    'jq --rawfile a k . notes.txt',
    'join notes.txt k',
    'paste -s k',
    'column -t k',
    'diff3 notes.txt notes.txt k',
    'gcat k',
    'hd k',
    'sed -n p k',
    'sed -ne p k',
    'sort notes.txt k',
    'wc -l k',
    "awk '{print}' k",
    'bc -l k',
    'nm k',
    'zcat k',
    'look x k',
    'shuf k',
    'openssl dgst -sha256 k',
    'openssl enc -base64 -in k',
  ])('is a file that may be a link: %s', (command) => {
    expect(proofs(command, linked)).toEqual([undefined])
    expect(proofs(command.replace(/\bk$|\bk(?= \. )/, 'notes.txt'), linked)).toEqual(['reads'])
  })

  it.each([
    'echo k',
    'basename k',
    'grep k notes.txt',
    'sed -n p notes.txt',
    'jq k notes.txt',
    'ls -l k',
    'seq k',
    'tr k x',
  ])('is text, or only looked at: %s', (command) => {
    expect(proofs(command, linked)).toEqual(['reads'])
  })
})

describe('a command that reads a whole folder', () => {
  const world = (command: string, secret: string | null): typeof WORLD => {
    const trees = decompose(command).parts.flatMap(treesRead)
    return { ...WORLD, below: new Map(trees.map(({ key }) => [key, secret])) }
  }

  it.each([
    'grep -r x src',
    'grep -rn x',
    'grep -R x src',
    'grep -d rec x src',
    'grep --directories=recurse x src',
    'rgrep x',
    'rg x',
    'rg --files src',
    'diff src lib',
    'diff --from-file=src lib',
    'git diff --no-index src lib',
    'git diff /usr/share src',
    'grep -r x . --include=*.ts',
  ])('is proven only if nothing in it is secret: %s', (command) => {
    expect(proofs(command, world(command, null))).toEqual(['reads'])
    expect(proofs(command, world(command, '/home/you/app/.env'))).toEqual([undefined])
    expect(proofs(command, { ...WORLD, below: new Map() })).toEqual([undefined])
  })

  it('names the file that it would print', () => {
    const report = rateShell('grep -r x .', world('grep -r x .', '/home/you/app/.env'))
    expect(report.reasons).toMatchObject([{ level: 'low', rule: 'path.read-below', text: 'also reads `.env`' }])
  })
})

describe('a command on files that `find` finds', () => {
  const world = (command: string, secret: string | null): typeof WORLD => {
    const trees = decompose(command).exact?.parts.flatMap(treesRead) ?? []
    return { ...WORLD, below: new Map(trees.map(({ key }) => [key, secret])) }
  }

  it.each([
    "find . -name '*.js' -exec wc -l {} +",
    'find src -type f -exec cat {} \\;',
    'find src lib -mtime -1 -exec head -n 1 {} \\; -exec echo {} \\;',
    'find src -exec sort {} +',
  ])('is proven only if nothing in it is secret: %s', (command) => {
    expect(new Set(proofs(command, world(command, null)))).toEqual(new Set(['reads']))
    expect(proofs(command, world(command, '/home/you/app/.env'))).toContain(undefined)
    expect(proofs(command)).toContain(undefined)
  })

  it.each([
    ["find . -name '*.js' -exec cat {} +", ['*.js']],
    ["find . -type f -name '*.js' -maxdepth 2 -exec cat {} +", ['*.js']],
    ["find . -exec cat {} + -name '*.js'", []],
    ["find . -name '*.js' -o -exec cat {} +", []],
    ["find . ! -name '*.js' -exec cat {} +", []],
    ['find . -path -name -exec cat {} +', []],
    ["find . -iname '*.js' -exec cat {} +", []],
    ["find . -name '[a]*' -exec cat {} +", []],
    ['find . -perm -name -exec cat {} +', []],
    ["find . -perm 644 -name '*.js' -exec cat {} +", ['*.js']],
  ])('looks at the names that it may have: %s', (command, names) => {
    const trees = decompose(command).exact?.parts.flatMap(treesRead)
    expect(trees?.map(({ folder, only, follows }) => ({ folder, only, follows }))).toEqual([
      { folder: '.', only: names, follows: true },
    ])
  })

  it.each([
    'find src -exec sort -o {} {} \\;',
    'find src -exec sort --files0-from {} \\;',
    'find src -delete -exec cat {} +',
    'find src -fprint made.txt -exec cat {} +',
    'find src -exec cat {} + > made.txt',
  ])('is not proven if it does more: %s', (command) => {
    expect(proofs(command, world(command, null))).toContain(undefined)
  })
})

describe('a command line that only prints', () => {
  const at = (folder: string) => ({
    ...WORLD,
    programs: new Map(['wget', 'ssh', 'sort', 'ls', 'docker', 'npm', 'git'].map((name) => [name, `${folder}/${name}`])),
  })

  it.each([
    'wget --version',
    'wget -V >/dev/null',
    'ssh -V',
    'ls --help',
    'docker --version',
    'npm -v',
    'npm_config_loglevel=silent npm --version',
    'git --exec-path',
  ])('is %s', (command) => {
    expect(proofs(command, at('/usr/bin'))).toEqual(['reads'])
  })

  it.each([
    ['wget --version', '/home/you/app/node_modules/.bin'],
    ['wget --version', '/home/you/.asdf/shims'],
    ['wget --version x', '/usr/bin'],
    ['wget --help -O x', '/usr/bin'],
    ['wget -V --config=x', '/usr/bin'],
    ['ssh -V -o ProxyCommand=x host', '/usr/bin'],
    ['ssh --version', '/usr/bin'],
    ['docker -v ps', '/usr/bin'],
    ['WGETRC=x wget --version', '/usr/bin'],
    ['wget --vers*', '/usr/bin'],
    ['npm_config_cache=x npm --version', '/usr/bin'],
    ['npm_config_loglevel=silent wget --version', '/usr/bin'],
    ['git --exec-path=x status', '/usr/bin'],
    ['git --exec-path --version', '/usr/bin'],
  ])('is not %s in %s', (command, folder) => {
    expect(proofs(command, at(folder))).toEqual([undefined])
  })
})
