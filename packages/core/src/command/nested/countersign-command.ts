import { shellNames } from '../../knowledge/shell.ts'
import { literalWord, type ShellWord } from '../expansion/words.ts'
import type { Inner } from './nested-command.ts'

/** Programs that start the countersign command by its name or its file. */
export const LAUNCHERS = shellNames('launchers')
const OURS = /(?:^|[/:])countersign(?:\.[cm]?[jt]s)?(?:@[\w.^~-]{1,40})?$/

/** Whether a word names the countersign command: its name, a versioned package, or a path to its file. */
export function isOwnCommand(word: string): boolean {
  return word.length >= 'countersign'.length && word.length < 4096 && word.includes('countersign') && OURS.test(word)
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
