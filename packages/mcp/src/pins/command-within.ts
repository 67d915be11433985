import { basename } from 'node:path'

/** Programs that start the one that is named behind them. */
const WRAPPERS = /^(?:env|nice|ionice|nohup|timeout|stdbuf|setsid|sudo|doas|time|command|exec|caffeinate|chrt|taskset)$/
const SHELLS = /^(?:sh|bash|dash|ash|ksh|zsh|fish)$/
/** Options of wrappers with a word of their own. */
const WITH_A_WORD =
  /^-(?:[ucnpoeSkst]|-(?:unset|chdir|adjustment|class|classdata|user|group|signal|kill-after|input|output|error))$/
/** Anything but plain words: what the shell makes of it is not known here. */
const NOT_PLAIN = /[^\w\s@%+=:,./-]/

/**
 * The command that another one only starts: behind `env`, `nice` and their like, or the one line of `sh -c`. Null when it
 * is none of these; `unclear` when what is started cannot be told.
 */
export function commandWithin([program = '', ...rest]: readonly string[]): readonly string[] | 'unclear' | null {
  const name = basename(program)
  if (SHELLS.test(name)) return lineOf(rest)
  if (!WRAPPERS.test(name)) return null
  // `env -C` and `env -S` change where, or what, is started.
  if (name === 'env' && rest.some((word) => /^-(?:[CS]|-chdir|-split-string)/.test(word))) return 'unclear'
  let at = 0
  for (; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    if (WITH_A_WORD.test(word)) at += 1
    else if (!word.startsWith('-') && !/^\w+=/.test(word) && !isMeasure(name, word)) break
  }
  const inner = rest.slice(at)
  return inner.length === 0 ? 'unclear' : inner
}

/** `timeout 30`, `taskset 0x3`: a number of the wrapper's own. */
function isMeasure(name: string, word: string): boolean {
  return /^(?:timeout|taskset|chrt)$/.test(name) && /^(?:0x[\da-f]+|[\d.,-]+[smhd]?)$/.test(word)
}

function lineOf(rest: readonly string[]): readonly string[] | 'unclear' | null {
  const at = rest.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word))
  if (at === -1) return null
  const line = rest[at + 1] ?? ''
  if (rest.length > at + 2 || NOT_PLAIN.test(line)) return 'unclear'
  const words = line.trim().split(/\s+/)
  const first = words.findIndex((word) => !/^\w+=/.test(word))
  const inner = first === -1 ? [] : words.slice(first).filter((word, place) => place > 0 || word !== 'exec')
  return inner.length === 0 || inner[0] === 'cd' ? 'unclear' : inner
}
