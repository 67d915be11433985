import { codeEffects } from '../code/find-effects.ts'
import { inlineCode } from '../code/inline-code.ts'
import { moduleOf } from '../code/python-module.ts'
import type { Input } from '../expansion/standard-input.ts'
import { literalWord, type ShellWord, unknownWord } from '../expansion/words.ts'
import type { Inner } from './nested-command.ts'

/** Commands that an interpreter's code runs visibly: `os.system('…')`, `python -m pip …`. */
export function codeCommands(program: string, args: readonly ShellWord[], input: Input): readonly Inner[] {
  const module = moduleOf(program, args)
  if (module !== null && module.program !== null) {
    const rest = args.slice(args.length - module.rest.length)
    return [{ kind: 'words', label: `${program} -m`, words: [literalWord(module.program), ...rest] }]
  }
  const stdin = input.kind === 'text' ? { kind: 'literal', text: input.text } : { kind: 'none' }
  const code = inlineCode(program, args, stdin)
  if (code === null) return []
  return codeEffects(code.text, code.language).flatMap(({ run }): Inner[] => {
    if (run === null) return []
    const label = `${program} code`
    if (run.kind === 'shell') return [{ kind: 'code', label, text: run.text, known: run.known }]
    return [
      { kind: 'words', label, words: run.words.map((word) => (word === null ? unknownWord('…') : literalWord(word))) },
    ]
  })
}
