import type { PolicyFile } from '../../ports/policy-files.ts'
import { type PolicyProblem, quote } from '../model/policy-problem.ts'
import { definedCheckers } from '../parse/cross-field-problems.ts'
import type { LoadedFile } from '../parse/policy-file.ts'
import { readYaml } from '../parse/yaml-tree.ts'

/** Names of the checkers that any of these files defines: a rule of one file may name the checker of another. */
export function namesDefined(files: readonly Pick<PolicyFile, 'text'>[]): readonly string[] {
  return files.flatMap(({ text }) => {
    if (!text.includes('checkers')) return []
    const read = readYaml(text)
    return read.kind === 'refused' ? [] : definedCheckers(read.tree.value)
  })
}

/** A name stands for one program: which of two was meant cannot be known. */
export function programConflicts(
  contents: readonly LoadedFile[],
  registered: readonly string[],
): readonly PolicyProblem[] {
  const seen = new Map<string, string>(registered.map((name) => [name, 'the program that opens the gate']))
  return contents.flatMap(({ programs }) =>
    programs.flatMap(({ name, file, line }): readonly PolicyProblem[] => {
      const other = seen.get(name)
      seen.set(name, quote(file))
      if (other === undefined) return []
      const message = `the checker ${quote(name)} is already defined by ${other}; give it another name`
      return [{ code: 'CS_POLICY_INVALID', file, line, column: 1, message }]
    }),
  )
}
