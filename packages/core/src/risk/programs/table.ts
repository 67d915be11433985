import type { Assess } from '../facts.ts'
import { interpreterOf } from '../interpreter-names.ts'
import { assessInterpreter } from './interpreters.ts'
import { assessDevTool, assessMake, assessNodePackages, assessPythonPackages, assessRunner } from './packages.ts'
import { CLOUD } from './rows/cloud.ts'
import { CONTAINERS } from './rows/containers.ts'
import { DATABASES } from './rows/databases.ts'
import { FILES } from './rows/files.ts'
import { GIT } from './rows/git.ts'
import { INTERPRETERS } from './rows/interpreters.ts'
import { KUBERNETES } from './rows/kubernetes.ts'
import { NETWORK } from './rows/network.ts'
import { PACKAGES } from './rows/packages.ts'
import { PLAIN } from './rows/plain.ts'
import { SYSTEM } from './rows/system.ts'

/** Every family of programs; a name stands in one of them. */
const ROWS = [
  CLOUD,
  CONTAINERS,
  DATABASES,
  FILES,
  GIT,
  INTERPRETERS,
  KUBERNETES,
  NETWORK,
  PACKAGES,
  PLAIN,
  SYSTEM,
].flat()

const TABLE: ReadonlyMap<string, Assess> = new Map(
  ROWS.flatMap(([names, assess]) => names.split(' ').map((name): [string, Assess] => [name, assess])),
)

/** The assessor for a program; undefined when it is not in the list. */
export function assessorOf(program: string): Assess | undefined {
  const known = TABLE.get(program)
  if (known !== undefined) return known
  if (interpreterOf(program) !== null) return assessInterpreter
  if (program.startsWith('mkfs.') || program.startsWith('fsck.')) return TABLE.get('mkfs')
  return undefined
}

const PROJECT_ASSESSORS: ReadonlySet<Assess | undefined> = new Set([
  assessDevTool,
  assessMake,
  assessNodePackages,
  assessPythonPackages,
  assessRunner,
])

/** Others that come with a project's packages. */
const PROJECT_NAMES = new Set(
  'shellcheck hadolint yamllint actionlint semgrep cloc tldr cdk cdktf aws bundle composer countersign'.split(' '),
)

/** Whether a program is one that projects install for themselves: `tsc`, `pip`, `npm`. */
export function isProjectTool(program: string): boolean {
  return PROJECT_NAMES.has(program) || PROJECT_ASSESSORS.has(TABLE.get(program))
}
