import type { CommandPart } from '../../command/model/decomposition.ts'
import { matchesPattern } from '../../command/model/glob-pattern.ts'
import type { RecipeRow } from '../../knowledge/commands.ts'
import { RECIPE_FILES } from '../../knowledge/compiled/commands.ts'

let rowsByProgram: ReadonlyMap<string, RecipeRow> | undefined

/** The recipe that a command runs: a Makefile, the scripts of a package, the steps of an image. Null if it runs none. */
export function recipeOf(part: CommandPart): RecipeRow | null {
  rowsByProgram ??= new Map(
    RECIPE_FILES.recipes.flatMap((row) => row.programs.map((program): [string, RecipeRow] => [program, row])),
  )
  const row = rowsByProgram.get(part.program?.toLowerCase() ?? '')
  if (row === undefined) return null
  const { verbs } = row
  // `yarn` alone installs.
  if (verbs === undefined || part.args.length === 0) return row
  return part.args.some(({ value }) => value !== null && verbs.includes(value)) ? row : null
}

/** Whether a file name, in lower case, is one that the recipe runs. */
export function isRecipeFile({ files }: RecipeRow, name: string): boolean {
  return files.some((file) => (file.includes('*') ? matchesPattern(name, file) : name === file))
}
