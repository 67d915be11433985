// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import { describe, expect, it } from 'vitest'
import { decompose, decomposeArgv } from './decompose.ts'
import type { CommandProblemKind } from './model/decomposition.ts'

const programs = (source: string) => decompose(source).parts.map((part) => part.program)
const kinds = (source: string) => [...new Set(decompose(source).problems.map((problem) => problem.kind))]
const shown = (source: string) =>
  decompose(source).parts.map((part) => [part.program ?? '?', ...part.args.map((word) => word.value ?? '?')].join(' '))

/** A command, the programs found in order (`?` for an unknown one), and the kinds of problem. One block per bypass class in shell-risk.md. */
const ROWS: readonly (readonly [source: string, programs: string, ...problems: CommandProblemKind[]])[] = [
  // 1 chaining
  ['git log; curl x', 'git curl'],
  ['git log && curl x || rm y', 'git curl rm'],
  ['git log & rm y', 'git rm'],
  ['a | b |& c', 'a b c'],
  // 2 newline and comment
  ['git status #\nrm -rf ~', 'git rm'],
  ['a # b; c\n\n\nd', 'a d'],
  // 3 substitution
  ['echo "$(rm -rf ~)"', 'echo rm'],
  ['echo `rm x`', 'echo rm'],
  ['echo `echo \\`id\\``', 'echo echo id'],
  ['echo $(a $(b $(c)))', 'echo a b c'],
  // 5 defaults, assignments, arrays, case patterns
  ['tee >(sh)', 'tee sh'],
  ['diff <(a) <(b)', 'diff a b'],
  // 5 defaults, assignments, arrays, case words
  ['echo ${x:-$(cmd)}', 'echo cmd'],
  ['echo ${y:=`cmd`}', 'echo cmd'],
  ['x=$(cmd)', ' cmd'],
  ['a=(1 $(cmd)); b[$(two)]=1', ' cmd  two', 'evaluated'],
  ['case $(w) in $(p)) body;; esac', 'w p body'],
  ['ls > $(target)', 'ls target'],
  ['cat <<EOF\n$(cmd)\nEOF', 'cat cmd'],
  ["cat <<'EOF'\n$(cmd)\nEOF", 'cat'],
  // 6 arithmetic and other evaluation
  ['echo $((1 + $(cmd)))', 'echo cmd', 'evaluated'],
  ['echo $((1 + $(wc -l < f)))', 'echo wc'],
  ["echo $[ q='z[$(cmd)]', q ]", 'echo : cmd', 'evaluated'],
  ["test -v 'a[$(cmd)]'", 'test : cmd', 'evaluated'],
  ["[[ -v 'a[$(cmd)]' ]]", ': cmd', 'evaluated'],
  ["x='a[$(cmd)]'; echo $((x))", ' echo : cmd', 'evaluated'],
  ['x=\'a[$(cmd "a b")]\'; y=x; ((y))', '  : cmd', 'evaluated'],
  ["compgen -W '$(cmd)'", 'compgen : cmd', 'evaluated'],
  ["mapfile -C 'cmd a' -c 1 x", 'mapfile cmd'],
  ['complete -C cmd x; bind -x \'"\\C-a": cmd\'', 'complete cmd bind cmd'],
  ['jobs -x cmd a', 'jobs cmd'],
  ['echo ${v@P}', 'echo', 'dynamic'],
  ['[[ "${a[$i]}" == x ]] && ls', 'ls'],
  // 7 quoting
  ["$'\\x72m' x", 'rm'],
  ["r''m x", 'rm'],
  ['r"m" x', 'rm'],
  ['\\rm x', 'rm'],
  ['r\\\nm x', 'rm'],
  // 8 variables
  ['a=r;b=m;$a$b x', '  rm'],
  ['cat${IFS}/etc/passwd', 'cat'],
  ['x="rm -rf"; $x /', ' rm'],
  ['x=rmdir; ${x:0:2} y', ' rm'],
  ['x=RM; ${x,,} y', ' rm'],
  ['set -- rm x; "$@"', 'set rm'],
  ['$(echo rm) x', 'rm echo'],
  ['$(printf %s rm) x', 'rm printf'],
  ['$CMD', '?', 'dynamic'],
  ['"$CMD" x', '?', 'dynamic'],
  ['$SUDO rm x', '? rm', 'dynamic'],
  ['IFS=,; x=rm,y; $x', '  rm'],
  ['x=ls; read x; $x', ' read ?', 'dynamic'],
  ['x=ls; for i in 1 2; do $x; x=rm; done', ' ls  ? ', 'dynamic'],
  // 9 braces and globs
  ['{rm,-rf,/}', 'rm'],
  ['/b?n/rm x', '? rm', 'dynamic'],
  ['/bin/r[m] x', '? rm', 'dynamic'],
  ['{r,"m"} x', '?', 'dynamic'],
  // 10 wrappers
  ['env -S "rm -rf" /', 'env rm'],
  ['env -i -u X A=1 rm x', 'env rm'],
  ['timeout -s KILL 9 rm x', 'timeout rm'],
  ['nice -n 5 ionice -c2 rm x', 'nice ionice rm'],
  ['sudo -u root -- rm x', 'sudo rm'],
  ['sudo -uroot FOO=1 rm x', 'sudo rm'],
  ['doas -u a rm x', 'doas rm'],
  ['stdbuf -oL rm x', 'stdbuf rm'],
  ['taskset -c 0 rm x', 'taskset rm'],
  ['chrt -f 10 rm x', 'chrt rm'],
  ['time -p rm x', 'rm'],
  ['/usr/bin/time -f %e rm x', 'time rm'],
  ['command rm x', 'command rm'],
  ['command -v rm', 'command'],
  ['exec -a name rm x', 'exec rm'],
  ['nohup setsid rm x', 'nohup setsid rm'],
  ['flock -w 5 /l rm x', 'flock rm'],
  ['flock /l -c "rm x"', 'flock rm'],
  ['script -qc "rm x" /dev/null', 'script rm'],
  ['watch -n 1 "rm x"', 'watch rm'],
  ['busybox rm x', 'busybox rm'],
  ['strace -f -o log rm x', 'strace rm'],
  ['chroot /new rm x', 'chroot rm'],
  ['unshare -r rm x', 'unshare rm'],
  ['su - root -c "rm x"', 'su rm'],
  ['runuser -u a -- rm x', 'runuser rm'],
  ['env $(cat .env) rm x', 'env ? rm cat', 'dynamic'],
  // 11 shells
  ["bash -c 'rm x'", 'bash rm'],
  ["bash -lc 'rm x'", 'bash rm'],
  ["bash -o pipefail -c 'rm x'", 'bash rm'],
  ["sh +o posix -c 'rm x'", 'sh rm'],
  ["zsh -ic 'rm x'", 'zsh rm'],
  ['bash -c \'"$@"\' _ rm x', 'bash rm'],
  ['bash -c \'"$@"\' _ "$X"', 'bash ?', 'dynamic'],
  ['bash -c "$X"', 'bash ?', 'dynamic'],
  ['bash -c "rm $X"', 'bash rm', 'dynamic'],
  ['/bin/sh -c "sh -c \'rm x\'"', 'sh sh rm'],
  // 12 eval, trap, functions, aliases
  ['eval "rm x"', 'eval rm'],
  ['eval rm x', 'eval rm'],
  ['trap "rm x" EXIT', 'trap rm'],
  ['trap - EXIT', 'trap'],
  ['git(){ rm -rf ~; }; git status', 'git rm', 'dynamic'],
  ['build() { make; }; build', 'build make'],
  ['build() { make; }', 'make'],
  ["alias ls='rm -rf ~'", 'alias rm', 'dynamic'],
  ['f() { "$@"; }; f rm x', 'f rm'],
  ['f() { "$@"; }', '?', 'dynamic'],
  ['f() { f x; }; f y', 'f f'],
  ['f() { $1 a; }; f ls; f rm', 'f ls f rm'],
  ['alias x=rm; x a', 'alias rm x rm'],
  ['x=/opt/rm; ${x##*/} a', ' rm'],
  ['x=rm.txt; ${x%.txt} a', ' rm'],
  ['x=gm; ${x/g/r} a', ' rm'],
  ['x=xrm; ${x: -2} a', ' rm'],
  ['x=rm; n=x; ${!n} a', '  rm'],
  ['a=(x rm); ${a[1]} y', ' rm'],
  ['a=(rm -rf y); "${a[@]}"', ' rm'],
  ['${y:-rm} a', '? a rm', 'dynamic'],
  ['${PATH:0:1}bin${HOME:0:1}rm a', 'rm'],
  ['for c in ls rm; do $c a; done', 'ls rm'],
  ['x=ls; while true; do $x; done', ' true ls'],
  ['set rm a; $1 $2', 'set rm'],
  ['read c <<< rm; $c a', 'read rm'],
  ["printf -v c 'r%s' m; $c a", 'printf rm'],
  ["$(printf '\\x72%s' m) a", 'rm printf'],
  ['$(echo cm0= | base64 -d) a', 'rm echo base64'],
  ['echo cm0gYQ== | base64 -d | sh', 'echo base64 sh rm'],
  ["echo 'a mr' | rev | sh", 'echo rev sh rm'],
  ["echo 'sn a' | tr sn rm | sh", 'echo tr sh rm'],
  ['echo 726d2061 | xxd -r -p | bash', 'echo xxd bash rm'],
  ["echo 'rm a' > x.sh; sh ./x.sh", 'echo sh rm'],
  ["cat > x <<'E'\nrm a\nE\nchmod +x x && ./x", 'cat chmod x rm'],
  ["echo 'rm a' | tee x.sh; . x.sh", 'echo tee . rm'],
  ['echo a b | xargs rm', 'echo xargs rm'],
  ["echo 'rm a' | xargs -I{} sh -c '{}'", 'echo xargs sh rm'],
  ["git -c alias.x='!rm a' x", 'git rm'],
  ["git rebase -x 'rm a' main", 'git rm'],
  ["git bisect run sh -c 'rm a'", 'git sh rm'],
  ["git submodule foreach 'rm a'", 'git rm'],
  ["tmux new -d 'rm a'", 'tmux rm'],
  ["screen -dmS x bash -c 'rm a'", 'screen bash rm'],
  ["at now <<< 'rm a'", 'at rm'],
  ["echo '* * * * * rm a' | crontab -", 'echo crontab rm'],
  ["make -f - <<< $'all:\\n\\trm a'", 'make rm'],
  ["vim -c ':!rm a' f", 'vim rm'],
  ["gcloud compute ssh vm --command='rm a'", 'gcloud rm'],
  ["vagrant ssh -c 'rm a'", 'vagrant rm'],
  // 13 code on standard input
  ['bash <<< "rm x"', 'bash rm'],
  ['bash <<EOF\nrm x\nEOF', 'bash rm'],
  ['bash -s <<EOF\nrm x\nEOF', 'bash rm'],
  ['echo "rm x" | sh', 'echo sh rm'],
  ["printf '%s\\n' 'rm x' | bash", 'printf bash rm'],
  ['cat <<EOF | sh\nrm x\nEOF', 'cat sh rm'],
  ['bash <<< "$x"', 'bash ?', 'dynamic'],
  ['sudo bash <<EOF\nrm x\nEOF', 'sudo bash rm'],
  ['. /dev/stdin <<< "rm x"', '. rm'],
  // 19 redirections belong to their command
  ['>f ls', 'ls'],
  ['> f', ''],
  // 23 indirection
  ['git ls-files | xargs rm', 'git xargs rm'],
  ['xargs -n 1 -P 4 rm', 'xargs rm'],
  ['xargs -I{} sh -c "rm {}"', 'xargs sh rm', 'dynamic'],
  ['ls | parallel rm {}', 'ls parallel rm'],
  ['parallel ::: "rm a" "rm b"', 'parallel rm rm'],
  ['find . -exec rm {} \\;', 'find rm'],
  ['find . -exec a {} + -o -execdir b {} \\; -ok c \\;', 'find a b c'],
  ['fd -e ts -x rm', 'fd rm'],
  // 24 on another machine
  ["ssh -p 22 host 'rm x'", 'ssh rm'],
  ['ssh host -p 22 rm x', 'ssh rm'],
  ['docker exec -it box sh -c "rm x"', 'docker sh rm'],
  ['docker -H h run --rm -v /:/h --entrypoint sh img -c "rm x"', 'docker sh rm'],
  ['docker compose -f a.yml exec web rm x', 'docker rm'],
  ['podman exec box rm x', 'podman rm'],
  ['kubectl -n p exec pod -c c -- rm x', 'kubectl rm'],
  ['npx -y -p pkg cmd x', 'npx cmd'],
  ["npx -c 'rm x'", 'npx rm'],
  ['npm exec -- cmd x', 'npm cmd'],
  ['uv run pytest', 'uv pytest'],
  ['pipx run black .', 'pipx black'],
  // compound commands
  ['if a; then b; elif c; then d; else e; fi', 'a b c d e'],
  ['for i in $(a); do b; done', 'a b'],
  ['for ((i=0; i<$(a); i++)); do b; done', 'a b', 'evaluated'],
  ['while a; do b; done; until c; do d; done', 'a b c d'],
  ['select i in x; do a; done', 'a'],
  ['(a; { b; }) && ! c', 'a b c'],
  ['coproc a x', 'a'],
  // 26 text that looks like code but is not
  ["echo 'rm x; $(y)'", 'echo'],
  ['grep "a|b;c&d" f', 'grep'],
  ['echo a#b', 'echo'],
  ["echo '\\' x", 'echo'],
  ['ls -- -rf', 'ls'],
  // 29 empty commands
  ['', ''],
  ['# rm', ''],
  // syntax
  ['echo "open', 'echo', 'syntax'],
  ["echo 'open", 'echo', 'syntax'],
  ['if true; then', 'true', 'syntax'],
  ['ls )', 'ls', 'syntax'],
]

describe('a decomposition', () => {
  it.each(ROWS)('of %j finds [%s] %s', (source, expected, ...problems) => {
    const found = programs(source).map((program) => program ?? '?')
    expect(found.join(' ')).toBe(expected)
    expect(kinds(source)).toEqual(problems)
  })

  it('returns the wrapper and the command it runs, with the chain of wrappers', () => {
    const parts = decompose("sudo -u root bash -c 'cd /x && rm -rf *'").parts
    expect(parts.map((part) => [part.program, part.via])).toEqual([
      ['sudo', []],
      ['bash', ['sudo']],
      ['cd', ['sudo', 'bash -c']],
      ['rm', ['sudo', 'bash -c']],
    ])
  })

  it('decodes words, and returns null for unknown ones', () => {
    expect(shown('rm -rf "$HOME/x" $PWD/y --dir=$HOME "$z" a{1..3} $(cat f)')).toEqual([
      'rm -rf ~/x ./y --dir=~ ? a1 a2 a3 ?',
      'cat f',
    ])
    expect(shown('HOME=/x; rm "$HOME"')).toEqual([' ', 'rm /x'].map((text) => text.trim()))
    expect(decompose('ls *.ts "*"').parts[0]?.args.map((word) => word.glob)).toEqual([true, false])
  })

  it('passes unknown words to commands started by xargs and find', () => {
    expect(shown('xargs rm -f')).toEqual(['xargs rm -f', 'rm -f ?'])
    expect(shown('find . -exec rm {} +')[1]).toBe('rm ?')
  })

  it('follows literal changes of folder, and reports when it cannot', () => {
    const folders = (source: string) =>
      decompose(source)
        .parts.filter((part) => part.program === 'ls')
        .map((part) => part.cwd)
    expect(folders('ls; cd a && ls; cd /b; ls')).toEqual(['', 'a', '/b'])
    expect(folders('cd a && cd b && ls')).toEqual(['a/b'])
    expect(folders('cd && ls')).toEqual(['~'])
    expect(folders('cd "$x" && ls')).toEqual([null])
    expect(folders('cd - && ls')).toEqual([null])
    expect(folders('(cd a && ls); ls')).toEqual(['a', ''])
    expect(folders('cd a | ls')).toEqual([''])
    expect(folders('cd a || cd b; ls')).toEqual([null])
    expect(folders('cd a || exit 1; ls')).toEqual(['a'])
    expect(folders('if x; then cd a; fi; ls')).toEqual([null])
    expect(folders('for i in *; do ls; cd ..; done')).toEqual([null])
    expect(folders('f() { ls; }')).toEqual([null])
    expect(folders('env -C a ls')).toEqual(['a'])
    expect(folders('ssh host ls')).toEqual([null])
    expect(folders("cd a && bash -c 'ls'")).toEqual(['a'])
  })

  it('lists output targets, of groups too, but not duplicated descriptors', () => {
    const targets = (source: string) =>
      decompose(source).parts.map((part) => part.redirections.map((one) => `${one.operator}${one.target ?? '?'}`))
    expect(targets('ls > a 2>> b &> c >| d < e 2>&1 >&-')).toEqual([['>a', '>>b', '&>c', '>|d', '<e']])
    expect(targets('{ a; b; } > out')).toEqual([['>out'], ['>out']])
    expect(targets('while a; do b; done < in')).toEqual([['<in'], ['<in']])
    expect(targets('ls > "$x"')).toEqual([['>?']])
    expect(targets('[[ -f x ]] > out')).toEqual([['>out']])
    expect(targets('ls >& file')).toEqual([['>&file']])
  })

  it('lists the files a command reads', () => {
    const input = (source: string) => decompose(source).parts.at(-1)?.stdin
    expect(input('ls')).toEqual({ kind: 'none' })
    expect(input('a | ls')).toEqual({ kind: 'piped' })
    expect(input('ls < f')).toEqual({ kind: 'piped' })
    expect(input('ls < /dev/null')).toEqual({ kind: 'none' })
    expect(input('ls <<< hi')).toEqual({ kind: 'literal', text: 'hi' })
    expect(input("ls <<'E'\n$x\nE")).toEqual({ kind: 'literal', text: '$x\n' })
    expect(input('ls <<< "$x"')).toEqual({ kind: 'piped' })
    expect(input('echo hi | ls')).toEqual({ kind: 'literal', text: 'hi' })
  })

  it('keeps variables with the command they are set for, and passes on those of env', () => {
    const set = (source: string) =>
      decompose(source).parts.map((part) => part.assignments.map((one) => `${one.name}=${one.value ?? '?'}`).join())
    expect(set('A=1 B="$x" ls')).toEqual(['A=1,B=?'])
    expect(set('env A=1 ls')).toEqual(['', 'A=1'])
    expect(set('export A=1')).toEqual(['A=1'])
    expect(set('A=1')).toEqual(['A=1'])
  })

  it('returns spans in the source text', () => {
    const source = 'ls -l && rm "$(pwd)/x"'
    expect(decompose(source).parts.map(({ span, text }) => [source.slice(span.start, span.end), text])).toEqual([
      ['ls -l', 'ls -l'],
      ['rm "$(pwd)/x"', 'rm "$(pwd)/x"'],
      ['pwd', 'pwd'],
    ])
    const wrapped = "echo a; bash -c 'rm x'"
    const inner = decompose(wrapped).parts[2]
    expect([inner?.text, wrapped.slice(inner?.span.start, inner?.span.end)]).toEqual(['rm x', "bash -c 'rm x'"])
  })

  it('finds a program by the base name of its path and keeps the spelling', () => {
    const part = decompose('/tmp/../bin/rm x').parts[0]
    expect([part?.program, part?.path]).toEqual(['rm', '/tmp/../bin/rm'])
  })
})

describe('a decomposition of exact words', () => {
  it('interprets no shell syntax', () => {
    const { parts, problems } = decomposeArgv(['echo', '$(rm x)', '; rm y', '*'])
    expect(parts).toHaveLength(1)
    expect(parts[0]?.args.map((word) => [word.value, word.glob])).toEqual([
      ['$(rm x)', false],
      ['; rm y', false],
      ['*', false],
    ])
    expect(problems).toEqual([])
  })

  it('still follows wrappers and shells', () => {
    const found = (argv: string[]) => decomposeArgv(argv).parts.map((part) => part.program)
    expect(found(['sudo', 'rm', 'x'])).toEqual(['sudo', 'rm'])
    expect(found(['bash', '-c', 'a; b $(c)'])).toEqual(['bash', 'a', 'b', 'c'])
    expect(found(['env', 'A=1', 'ls'])).toEqual(['env', 'ls'])
    expect(found([])).toEqual([])
  })

  it('reports characters that no honest word contains', () => {
    expect(decomposeArgv(['ls', 'a\0b']).problems.map((problem) => problem.kind)).toEqual(['odd-characters'])
    expect(decomposeArgv(['l\u0455', 'x']).problems.map((problem) => problem.kind)).toContain('odd-characters')
    expect(decomposeArgv(['ls', 'x'.repeat(70_000)]).problems.map((problem) => problem.kind)).toEqual(['too-long'])
  })
})
