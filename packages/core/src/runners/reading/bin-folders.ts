import { lowerCase } from '../../command/programs/program-names.ts'
import { shellNames } from '../../knowledge/shell.ts'
import type { ProjectReader } from './project-reader.ts'

/** Programs that others start by name, through PATH, without a word of the command that names them. */
const STARTED_BY_OTHERS = shellNames('started_by_others')

/** A folder of programs that PATH is extended with: `node_modules/.bin`. */
export interface BinFolder {
  readonly path: string
  /** In lower case, as on file systems that ignore it. */
  readonly names: ReadonlySet<string>
}

/**
 * The folders with programs of packages that a package manager puts before PATH, from a folder upwards. SECURITY: A7 they may
 * have a program of any name, the shell of the scripts among them.
 */
export async function binFolders(
  folder: string,
  reader: ProjectReader,
): Promise<{ readonly bins: readonly BinFolder[]; readonly opaque: readonly string[] }> {
  const bins: BinFolder[] = []
  const opaque: string[] = []
  for (const above of reader.upwards(folder)) {
    const path = `${above}/node_modules/.bin`
    if ((await reader.typeOf(path)) === 'absent') continue
    const listed = await reader.names(path, above)
    if (listed === null) {
      opaque.push(`the programs in \`${reader.shown(path)}\` can’t be listed`)
      continue
    }
    const names = new Set(listed.map((name) => lowerCase(name)))
    const taken = [...names].find((name) => STARTED_BY_OTHERS.has(name))
    if (taken !== undefined)
      opaque.push(`\`${reader.shown(path)}/${taken}\` is started instead of the system’s program`)
    bins.push({ path, names })
  }
  return { bins, opaque }
}

/** Whether one of the folders has a program of this name. */
export function isIn(bins: readonly BinFolder[], program: string): boolean {
  return bins.some(({ names }) => names.has(lowerCase(program)))
}
