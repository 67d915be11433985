import { shellNames } from '../../knowledge/shell.ts'
import { literalWord, type ShellWord } from '../expansion/words.ts'
import type { Inner } from './nested-command.ts'

/** Programs that start the countersign command by its name or its file. */
export const LAUNCHERS = shellNames('launchers')
const OURS = /(?:^|[/:])countersign(?:\.[cm]?[jt]s)?(?:@[\w.^~-]{1,40})?$/
/** Any file of the installed package. */
const IN_PACKAGE = /(?:^|\/)(?:countersign|@countersign\/cli)\/(?:bin|dist)\/[\w./-]{1,200}\.[cm]?js$/

/** Whether a word names the countersign command: its name, a versioned package, or a path to its file. */
export function isOwnCommand(word: string): boolean {
  if (word.length < 'countersign'.length || word.length >= 4096 || !word.includes('countersign')) return false
  return OURS.test(word) || IN_PACKAGE.test(word)
}

/** The countersign command that a launcher starts: `node bin/countersign.js approve` is `countersign approve`. */
export function ownCommand(program: string, args: readonly ShellWord[]): readonly Inner[] {
  // SECURITY: L8, whoever asks can never approve, however the program is started.
  if (!LAUNCHERS.has(program)) return []
  const at = args.findIndex(({ value }) => value !== null && isOwnCommand(value))
  return at === -1
    ? []
    : [{ kind: 'words', label: program, words: [literalWord('countersign'), ...args.slice(at + 1)] }]
}
