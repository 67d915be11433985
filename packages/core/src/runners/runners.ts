import { AWKS, interpreterOf } from '../command/code/inline-code.ts'
import type { CommandPart } from '../command/model/decomposition.ts'
import { SHELLS } from '../command/nested/shells.ts'
import { lowerCase } from '../command/programs/program-names.ts'
import { KUBECONFIG } from '../knowledge/compiled/runners.ts'
import { seeCmake, seeNinja } from './build/generated-builds.ts'
import { seeJust } from './build/just.ts'
import { seeMake } from './build/make.ts'
import { seeTask } from './build/taskfile.ts'
import { seePackageScripts } from './packages/package-scripts.ts'
import { type BinFolder, isIn } from './reading/bin-folders.ts'
import type { Runner } from './reading/runner.ts'
import { seeInterpreter } from './scripts/interpreter.ts'
import { seeFile, seeShell } from './scripts/script-file.ts'
import { seeAnsible } from './settings/ansible.ts'
import { COMMAND_FILE_PROGRAMS, seeCommandFile } from './settings/command-file.ts'
import { COMMAND_KEY_PROGRAMS, seeCommandKeys } from './settings/command-keys.ts'
import { seeCompose } from './settings/compose.ts'
import { seeGit } from './settings/git.ts'
import { seeKubeconfig } from './settings/kubeconfig.ts'
import { seeSedFile } from './settings/sed-file.ts'
import { seeTerraform } from './settings/terraform.ts'
import { seeNpx } from './tools/npx.ts'
import { isTool, seeLocalTool, seeTool } from './tools/project-tool.ts'

const EXECUTES = /^(?:exec|x)$/

const seePackages: Runner = (input) =>
  EXECUTES.test(input.part.args[0]?.value ?? '') ? seeNpx(input) : seePackageScripts(input)

const BY_PROGRAM: ReadonlyMap<string, Runner> = new Map([
  ...['npm', 'pnpm', 'yarn', 'bun'].map((name) => [name, seePackages] as const),
  ...['npx', 'bunx', 'pnpx'].map((name) => [name, seeNpx] as const),
  ...['source', '.', ...SHELLS].map((name) => [name, seeShell] as const),
  ...['make', 'gmake'].map((name) => [name, seeMake] as const),
  ['git', seeGit],
  ['ansible', seeAnsible],
  ['ansible-playbook', seeAnsible],
  ['ansible-inventory', seeAnsible],
  ['sed', seeSedFile],
  ['gsed', seeSedFile],
  ['terraform', seeTerraform],
  ['tofu', seeTerraform],
  ...[...KUBECONFIG.programs].map((name) => [name, seeKubeconfig] as const),
  ...['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose'].map((name) => [name, seeCompose] as const),
  ...COMMAND_FILE_PROGRAMS.map((name) => [name, seeCommandFile] as const),
  ...COMMAND_KEY_PROGRAMS.map((name) => [name, seeCommandKeys] as const),
  ['just', seeJust],
  ['task', seeTask],
  ['go-task', seeTask],
  ['cmake', seeCmake],
  ['ninja', seeNinja],
])

/** Where the system keeps its programs. */
const SYSTEM = /^\/(?:usr\/(?:local\/)?)?s?bin\/|^\/(?:opt|nix|snap)\//
const TOOL_FOLDER = /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin)\/[\w.-]+$/

/** What looks into the files that a part runs; null if it runs none that we know. `bins` are folders before PATH. */
export function runnerOf(part: CommandPart, bins: readonly BinFolder[]): Runner | null {
  const { program, path, script, defined } = part
  // Text that the same command wrote is read from the command.
  if (program === null || program === '' || path === null || script !== undefined || defined === true) return null
  const name = lowerCase(program)
  const isPath = path.includes('/') && !SYSTEM.test(path)
  const known = BY_PROGRAM.get(name) ?? (interpreterOf(name) !== null || AWKS.has(name) ? seeInterpreter : null)
  if (isPath) {
    if (!TOOL_FOLDER.test(path)) return seeFile
    return isTool(name) ? seeTool : (known ?? seeFile)
  }
  // SECURITY: A7 a package can install a program under the name of another.
  if (known !== null) return isIn(bins, name) ? seeLocalTool : known
  if (isTool(name) || bins.length > 0) return seeLocalTool
  return null
}
