import { binFolders, isIn } from '../reading/bin-folders.ts'
import type { Runner } from '../reading/runner.ts'
import { unclear } from '../reading/runner.ts'
import { seeLocalTool } from './project-tool.ts'

const FLAGS = /^(?:--no-install|--no|--offline|-q|--quiet|--prefer-offline|--bun)$/

/** `npx tool`, `npm exec tool`: a program of the project’s own packages, or nothing that we can see. */
export const seeNpx: Runner = async (input) => {
  const { part, program, folder, reader } = input
  const args = /^(?:npm|pnpm|yarn|bun)$/.test(program) ? part.args.slice(1) : part.args
  const at = args.findIndex(({ value }) => value === null || !value.startsWith('-'))
  const tool = args[at]?.value
  if (at === -1 || tool == null) return null
  if (args.slice(0, at).some(({ value }) => !FLAGS.test(value ?? '')))
    return unclear(`${program} may download a package`)
  const root = await reader.resolve('.', folder)
  const { bins, opaque } = root === null ? { bins: [], opaque: [] } : await binFolders(root, reader)
  if (isIn(bins, tool)) {
    const inner = { ...part, program: tool, path: tool, args: args.slice(at + 1) }
    const found = await seeLocalTool({ ...input, part: inner, program: tool, bins })
    return found === null ? null : { ...found, opaque: [...found.opaque, ...opaque] }
  }
  return unclear(`\`${tool.slice(0, 64)}\` is not installed in the project, so ${program} may download it`)
}
