import type { CodeAct } from '../../command/code/effect.ts'
import { codeActs } from '../../command/code/find-effects.ts'
import type { InlineCode } from '../../command/code/inline-code.ts'
import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { looksLikePath, type SpelledPath, spelled, type Use } from './unresolved-path.ts'

const USES: Readonly<Partial<Record<CodeAct['kind'], readonly [first: Use, second?: Use]>>> = {
  delete: ['delete'],
  'delete-all': ['delete'],
  write: ['write'],
  move: ['delete', 'write'],
  copy: ['read', 'write'],
  read: ['read'],
}

/** The paths that inline code names plainly, and the files it is run over. */
export function codePaths(part: CommandPart, code: InlineCode): SpelledPath[] {
  const named = codeActs(code.text, code.language).flatMap(({ kind, paths }) =>
    paths.flatMap((path, at): SpelledPath[] => {
      const use = USES[kind]?.[at === 0 ? 0 : 1]
      if (use === undefined || path === null || path === '') return []
      return [spelled({ text: path, value: path, glob: /[*?]/.test(path) }, use, false)]
    }),
  )
  return [...named, ...filesOf(part, code)]
}

/** `perl -pi -e code file` rewrites the file; others read what follows the code, when it looks like a path. */
function filesOf(part: CommandPart, code: InlineCode): SpelledPath[] {
  const lines = code.language === 'perl' || code.language === 'ruby' || code.language === 'awk'
  const rewrites = lines && part.args.slice(0, code.next).some(({ value }) => rewritesFiles(value, code.language))
  return part.args.slice(code.next).flatMap((word: CommandWord): SpelledPath[] => {
    if (word.value?.startsWith('-') === true) return []
    if (rewrites) return [spelled(word, 'write', false)]
    return word.value !== null && looksLikePath(word.value) ? [spelled(word, 'read', false)] : []
  })
}

function rewritesFiles(value: string | null, language: InlineCode['language']): boolean {
  if (value === null) return false
  return language === 'awk' ? value === 'inplace' || value === '-iinplace' : /^-[acdlnpswW0-7]{0,8}i/.test(value)
}
