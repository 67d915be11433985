// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
import { describe, expect, it } from 'vitest'
import { decompose } from '../decompose.ts'

/** The exact commands, each as `folder: words`; null if they are not certain. */
function exact(command: string): readonly string[] | null | undefined {
  const found = decompose(command).exact
  return found?.parts.map(({ cwd, program, args, redirections }) => {
    const words = [program, ...args.map(({ value }) => value), ...redirections.map((one) => one.operator + one.target)]
    return (cwd === '' ? '' : `${cwd}: `) + words.join(' ')
  })
}

describe('the exact words of a command', () => {
  it.each<[string, readonly string[]]>([
    ['x=41; cat "$x"', ['cat 41']],
    ["p='wc -l'; $p < f", ['wc -l <f']],
    ['x=\'a b\'; cat $x; cat "$x"', ['cat a b', 'cat a b']],
    ['x=a; x+=b; cat $x', ['cat ab']],
    ['cat {a,b}{1,2} {1..3}', ['cat a1 a2 b1 b2 1 2 3']],
    ["cat $'a\\x41'", ['cat aA']],
    ['for f in a b; do wc -l "$f"; done', ['wc -l a', 'wc -l b']],
    ['for f in *.txt; do cat "$f"; done', ['cat *.txt']],
    ['a=(x "y z"); cat "${a[@]}"', ['cat x y z']],
    ['show() { cat "$1"; }; show f', ['cat f']],
    ['if [ -f a ]; then x=a; else x=b; fi; echo "$x"', ['[ -f a ]', 'echo 1']],
    ['[[ -f a && a == b ]] && ls', ['test -f a', 'ls']],
    ['cd d; cat f', ['cd d', 'cat f', 'd: cat f']],
    ['cd d && cat f', ['cd d', 'd: cat f']],
    ['cd d && cat f && cd ..', ['cd d', 'd: cat f', 'd: cd ..']],
    ['(cd d && cat f && cd ..)', ['cd d', 'd: cat f', 'd: cd ..']],
    ['cd d || exit; cat f', ['cd d', 'd: cat f']],
    ['env -C d A=1 cat f', ['d: cat f']],
    ['timeout -k 1 5 nice -n 3 stdbuf -oL cat f', ['cat f']],
    ['bash -c \'cat "$1"\' _ f', ['cat f']],
    ['cat f & wait', ['cat f']],
    ["trap 'cat f' EXIT; cat g", ['cat g', 'cat f']],
    ['flock f cat g', [': >>f', 'cat g']],
    ['diff <(sort a) b', ['sort a', 'diff /dev/fd/63 b']],
    ['cat <<< "$(sort a)"', ['sort a', 'cat']],
    ['exec 3< f; cat <&3', [': <f', 'cat']],
    ['for f in a/*; do echo "$f"; done', ['echo 1']],
    ['NAME=a bash -c \'cat "$NAME"\'', ['cat a']],
    ['env NAME=a bash -c \'cat "$NAME"\'', ['cat a']],
    ['env -u NAME cat f', ['cat f']],
    ['env -i PATH="$PATH" HOME="${HOME}" cat f', ['cat f']],
    ["script -qec 'cat f' /dev/null", ['cat f']],
    ['sleep 1 & kill -0 $!; wait', ['sleep 1']],
    ['ps -p $$ -o pid=', ['ps -p 1 -o pid=']],
    ["find d -name '*.c' -exec wc -l {} +", ['wc -l d', 'find d -name *.c -print']],
    ['find -type f -exec cat {} \\; -exec echo {} \\;', ['cat .', 'echo 1', 'find -type f -print -print']],
    ['find a b -exec cat {} \\;', ['cat a', 'cat b', 'find a b -print']],
    ["env -i -S 'cat f' g", ['cat f g']],
    ['exec {fd}< f; cat <&$fd', [': <f', 'cat']],
    ['set -- $? f g; cat "$2"', ['cat f']],
    ['x=g; cat f >&"$x"', ['cat f >&g']],
    ['declare x="$(cat f)"; echo "$x"', ['cat f', 'echo 1']],
  ])('%s', (command, expected) => {
    expect(exact(command)).toEqual(expected)
  })

  it.each([
    'x=$(date); echo "$x"',
    'read -r l; echo "$l"',
    'while read -r l; do echo $l; done',
    'x=1; echo $((x+1)) "${x:0}" "${x@Q}" "${#x}"',
    'ls | xargs -n1 echo',
    'mapfile -t a; printf "%s\\n" "${a[@]}"',
    'x=a; [ "$x" = "$(date)" ] && echo "$?"',
  ])('have a stand-in for unknown words that can’t matter: %s', (command) => {
    expect(exact(command)?.every((one) => !one.includes('?'))).toBe(true)
  })

  it.each([
    ['an unknown path', 'x=$(date); cat "$x"'],
    ['an unknown word that is split', 'x=$(date); [ $x ]'],
    ['a value that would be matched', "x='*'; cat $x"],
    ['other separators', 'IFS=,; x=a,b; cat $x'],
    ['a variable of the environment', 'cat $FILE'],
    ['the home folder', 'x=1; cat ~/f'],
    ['a special variable', 'PATH=.; ls'],
    ['a special variable that is read', 'read PATH; ls'],
    ['a special variable in a loop', 'for PATH in .; do ls; done'],
    ['an index that is evaluated', "x='a[$(ls)]'; echo $((x))"],
    ['a prompt', 'x=a; echo "${x@P}"'],
    ['an unknown offset', 'read -r i; x=abc; echo "${x:$i}"'],
    ['a value set later in a loop', 'x=a; for i in 1 2; do cat "$x"; x=b; done'],
    ['a parameter shifted later in a loop', 'set -- a b; for i in 1 2; do cat "$1"; shift; done'],
    ['a value set by a function', 'x=a; f() { x=b; }; f; cat "$x"'],
    ['a value set in a branch', 'x=a; true && x=b; cat "$x"'],
    ['a value set to another variable’s name', 'declare -n r=PATH; r=.'],
    ['a setter by another name', "p='read x'; x=a; for i in 1 2; do cat $x; $p; done"],
    ['a function that hides a program', 'sort() { ls; }; sort'],
    ['a function that calls itself', 'f() { f; }; f'],
    ['a job that nobody waits for', 'sleep 9 &'],
    ['a job that one may not wait for', 'sleep 9 & true || wait'],
    ['an end before the wait', 'sleep 9 & exit; wait'],
    ['another program before the wait', 'sleep 9 & exec true; wait'],
    ['an error before the wait', 'sleep 9 & echo $((1/0)); wait'],
    ['a failure before the wait that ends the shell', 'set -e; sleep 9 & false; wait'],
    ['a wait for another process', 'sleep 9 & wait 1'],
    ['a job of a shell that nobody reads any more', '{ sleep 9 & echo; wait; } | true'],
    ['a job that starts at the end', "trap 'sleep 9 &' EXIT; echo"],
    ['a session below a program that is ended', 'timeout 1 xargs -I{} setsid -w sleep 9'],
    ['a value that is set behind `||` and passed over', 'x=a; true || x=b && cat $x'],
    ['a value that is set behind `&&` and passed over', 'x=a; false && x=b || cat $x'],
    ['code in the quotes of a here-document', "x=1; cat <<E\n${x:+'$(rm f)'}\nE"],
    ['single quotes inside `${…}` in double quotes', 'x=1; echo "${x/1/\'$(rm f)\'}"'],
    ['a number that may be text', "false && declare -i n; x=1; n=x; x='a[0]'; echo $((n))"],
    ['a number of a function', "f() { local -i n; }; f; x=1; n=x; x='a[0]'; echo $((n))"],
    ['a number that a loop makes text', "x=1; f() { x=$((2)); }; for i in 1 2; do echo $((x)); x='a[0]'; done"],
    ['a folder above one that may be a link', 'cd a && cd .. && cat f'],
    ['a folder by its real path', 'cd -P a/..; cat f'],
    ['code in the words of an exit', 'cd a || exit $(rm f) > g > $h'],
    ['a trap at every command', "trap 'ls' DEBUG; ls"],
    ['options that set the environment', 'set -k; ls A=1'],
    ['a callback', "mapfile -C 'ls' -c 1 a"],
    ['a program by its path behind a wrapper', 'timeout 5 eval ls'],
    ['unknown options of a wrapper', 'timeout --frob 5 ls'],
    ['code of another shell', "sh -c 'echo $x &>f'"],
    ['files that xargs names', 'ls | xargs cat'],
    ['a limit that ends a replacement', 'ls | xargs -I{} -L1 echo {}'],
    ['a folder above the start', 'cd ..; ls'],
    ['a folder above one that may be a link, and a file there', 'cd a && cd .. && > f'],
    ['a folder above one that may be a link, at the end', "trap 'cat f' EXIT; cd a && cd .."],
    ['a folder changed in a loop', 'for i in 1 2; do cd d; ls; done'],
    ['a file that any word names', 'exec 3> "$(date)"'],
    ['a coprocess', 'coproc ls'],
    ['a variable that bash obeys', "BASH_ENV=a bash -c 'cat f'"],
    ['a variable that changes how options are read', 'POSIXLY_CORRECT=1 head f -n g'],
    ['a variable for a program that may obey it', 'NAME=a git log'],
    ['a variable that only this command has', 'NAME=a true; echo "$NAME"'],
    ['a variable of the environment that may stay', 'false && NAME=a; echo "$NAME"'],
    ['a PATH that is more than passed on', 'env PATH="$PATH:." ls'],
    ['a PATH that may be several words', 'env PATH=$PATH ls'],
    ['a second recorded command', "script -qc 'ls' -c 'rm f' /dev/null"],
    ['a recording', "script -qc 'ls' f"],
    ['a recorded program that may start a pager', "script -qc 'git log' /dev/null"],
    ['a signal', 'sleep 1 & kill $!; wait'],
    ['a signal behind another', 'kill -0 -s STOP 5'],
    ['a program that is run on files found', 'find d -exec rm {} +'],
    ['a shell that is run on files found', "find d -exec sh -c 'cat {}' \\;"],
    ['a part of a name that is found', 'find d -exec cat {}/f \\;'],
    ['found files behind links', 'find -L d -exec cat {} +'],
    ['a folder behind dashes', 'find -- d -exec cat {} +'],
    ['folders that a file names', 'find -files0-from f -exec cat {} +'],
    ['an unknown test', 'find d -frob x -exec cat {} +'],
    ['an unknown start of a search', 'find "$(date)" -exec cat {} +'],
    ['an action without an end', 'find d -exec cat {}'],
    ['a number that is an option', 'ps e$$'],
    ['a job’s number that may be missing', 'set -- $! f g; cat "$2"'],
    ['a number that was never set', 'declare -i n; set -- $n f g; cat "$2"'],
    ['a descriptor that may not be open', 'exec {fd}< a; set -- $fd f g; cat "$2"'],
    ['a variable set by `command`', 'x=f; command printf -v x g; cat "$x"'],
    ['a variable set by a joined option', 'x=f; printf -vx g; cat "$x"'],
    ['options behind the words that env splits', "env -S 'cat f' -i"],
    ['a dash behind the words that env splits', "env -S 'cat f' -- g"],
    ['misread code for a shell', "x=1; bash -c 'echo 2>(rm f)'"],
    ['a number that the shell was given', "n='a[$(rm f)]' bash -c 'declare -i n; echo $((n))'"],
    ['a target that is expanded twice', 'x=\'$(rm f)\'; echo >&"$x"'],
    ['text that becomes a list', "a=(1); declare a='($(rm f))'; echo $a"],
    ['output that may become a list', 'read -ra a; declare a="$(cat f)"'],
    ['evaluated text', 'eval ls'],
    ['a local variable without a function', 'x=a; local x=b; cat $x'],
  ])('are not certain with %s', (_, command) => {
    expect(exact(command) ?? null).toBeNull()
  })

  it('are not looked for in a command of plain words', () => {
    expect(decompose('cat a.txt | head -5 && ls src').exact).toBeUndefined()
  })

  it('say when commands run at the same time', () => {
    expect(decompose('cat f & wait').exact?.isConcurrent).toBe(true)
    expect(decompose('x=f; cat $x').exact?.isConcurrent).toBe(false)
  })
})
