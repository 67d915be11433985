import { basename } from 'node:path'

/** A program that starts another: its options with a value, and those without. */
interface Wrapper {
  readonly taking: RegExp
  readonly plain: RegExp
}

const NONE = /^$/
/** Any other option may change what is started, so the result is unclear. */
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  ['env', { taking: /^(?:-u|--unset)$/, plain: /^(?:-[i0v]+|-|--ignore-environment|--unset=.*|--debug)$/ }],
  ['cross-env', { taking: NONE, plain: NONE }],
  ['nice', { taking: /^(?:-n|--adjustment)$/, plain: /^(?:-n?-?\d+|--adjustment=.*)$/ }],
  ['ionice', { taking: /^(?:-[cn]|--class|--classdata)$/, plain: /^(?:-t|-[cn]\d|--class(?:data)?=.*|--ignore)$/ }],
  ['nohup', { taking: NONE, plain: NONE }],
  ['timeout', { taking: /^(?:-[ks]|--kill-after|--signal)$/, plain: /^(?:-[fpv]|--[\w-]+(?:=.*)?)$/ }],
  ['stdbuf', { taking: /^(?:-[ioe]|--input|--output|--error)$/, plain: /^(?:-[ioe].+|--\w+=.*)$/ }],
  ['setsid', { taking: NONE, plain: /^(?:-[cfw]+|--\w+)$/ }],
  [
    'sudo',
    {
      taking: /^(?:-[ugp]|--user|--group|--prompt)$/,
      plain: /^(?:-[AEHnSPBbkK]+|--(?:user|group|preserve-env)=.*|--preserve-env|--set-home|--non-interactive)$/,
    },
  ],
  ['doas', { taking: /^-u$/, plain: /^-n$/ }],
  ['time', { taking: /^(?:-[fo]|--format|--output)$/, plain: /^-[apqv]+$/ }],
  ['command', { taking: NONE, plain: /^-p$/ }],
  ['exec', { taking: /^-a$/, plain: /^-[cl]+$/ }],
  ['caffeinate', { taking: /^-[tw]$/, plain: /^-[dimsu]+$/ }],
  ['chrt', { taking: /^-[TPD]$/, plain: /^-[abdfioRrv]+$/ }],
  ['taskset', { taking: NONE, plain: /^(?:-[ac]+|--cpu-list|--all-tasks)$/ }],
  ['xvfb-run', { taking: /^-[efnpsw]$/, plain: /^(?:-[al]+|--auto-servernum|--server-(?:num|args)=.*)$/ }],
])
const SHELLS = /^(?:sh|bash|dash|ash|ksh|zsh|fish)$/
/** Anything but plain words: the shell’s interpretation is unknown here. */
const NOT_PLAIN = /[^\w \t@%+=:,./-]/
/** Variables that change where programs and their modules are found. */
const LEADING =
  /^(?:PATH|NODE_(?:PATH|OPTIONS)|PYTHON(?:PATH|HOME|STARTUP)|RUBY(?:LIB|OPT)|PERL5\w+|CLASSPATH|LD_\w+|DYLD_\w+|ENV|BASH_ENV)=/

/**
 * The command that a wrapper starts: behind `env`, `nice` and similar, or the single command of `sh -c`. Null when
 * there is no wrapper; `unclear` when it cannot be determined.
 */
export function innerCommand([program = '', ...rest]: readonly string[]): readonly string[] | 'unclear' | null {
  const name = basename(program)
  if (SHELLS.test(name)) return lineOf(rest)
  const wrapper = WRAPPERS.get(name)
  if (wrapper === undefined) return null
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    if (wrapper.taking.test(word)) at += 1
    else if (word === '--') return startOf(rest.slice(at + 1))
    else if (word.startsWith('-')) {
      // `env -C`, `env -S` and `sudo -D` change where, or what, is started.
      if (!wrapper.plain.test(word)) return 'unclear'
    } else if (!/^\w+=/.test(word) && !isMeasure(name, word)) return startOf(rest.slice(at))
    else if (LEADING.test(word)) return 'unclear'
  }
  return 'unclear'
}

/** `timeout 30`, `taskset 0x3`: a number for the wrapper. */
function isMeasure(name: string, word: string): boolean {
  return /^(?:timeout|taskset|chrt)$/.test(name) && /^(?:0x[\da-f]+|[\d.,-]+[smhd]?)$/.test(word)
}

function lineOf(rest: readonly string[]): readonly string[] | 'unclear' | null {
  const at = rest.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word))
  if (at === -1) return null
  const line = rest[at + 1] ?? ''
  if (rest.length > at + 2 || NOT_PLAIN.test(line)) return 'unclear'
  const words = startOf(line.trim().split(/\s+/))
  return words === 'unclear' || words[0] === 'cd' || words[0] === '' ? 'unclear' : words
}

/** The command after leading variable assignments. */
function startOf(words: readonly string[]): readonly string[] | 'unclear' {
  const first = words.findIndex((word) => !/^\w+=/.test(word))
  if (first === -1 || words.slice(0, first).some((word) => LEADING.test(word))) return 'unclear'
  return words.slice(first)
}
