import { interpreterOf } from '../arguments/interpreter-names.ts'
import type { Assess } from './assessor/assessor.ts'
import { assessInterpreter } from './interpreters/interpreters.ts'
import { assessNodePackages } from './packages/node.ts'
import { assessDevTool, assessFormatter, assessMake } from './packages/project-tools.ts'
import { assessPythonPackages } from './packages/python.ts'
import { assessRunner } from './packages/runners.ts'
import { CLOUD } from './rows/cloud.ts'
import { CONTAINERS } from './rows/containers.ts'
import { DATABASES } from './rows/databases.ts'
import { FILES } from './rows/files.ts'
import { GIT } from './rows/git.ts'
import { INTERPRETERS } from './rows/interpreters.ts'
import { KUBERNETES } from './rows/kubernetes.ts'
import { MACHINES } from './rows/machines.ts'
import { NETWORK } from './rows/network.ts'
import { PACKAGES } from './rows/packages.ts'
import { PLAIN } from './rows/read-only.ts'
import { TRADES } from './rows/specialist-tools.ts'
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
  MACHINES,
  NETWORK,
  PACKAGES,
  PLAIN,
  SYSTEM,
  TRADES,
].flat()

const TABLE: ReadonlyMap<string, Assess> = new Map(
  ROWS.flatMap(([names, assess]) => names.split(' ').map((name): [string, Assess] => [name, assess])),
)

/** Tools that are installed side by side by version: `gcc-12`, `pip3.11`. */
const VERSIONED =
  /^(gcc|g\+\+|clang|clang\+\+|clang-format|clang-tidy|cpp|gcov|pip|gem|bundle|rake|llc|go|pydoc|ghc)-?\d[\d.]{0,9}$/

/** The tools of compilers for other machines: `arm-none-eabi-objdump`. */
const CROSS =
  /^(?:arm|aarch64|riscv32|riscv64|xtensa|avr|mips|mipsel|x86_64|i686|powerpc|m68k|msp430)(?:-[\w.]{1,24}){0,4}-(gcc|g\+\+|size|objdump|objcopy|nm|readelf|strip|ar|ld|as|gdb|addr2line|strings|cpp|gcov|ranlib)$/

/** The assessor for a program; undefined when it is not in the list. */
export function assessorOf(program: string): Assess | undefined {
  const known = TABLE.get(program)
  if (known !== undefined) return known
  if (interpreterOf(program) !== null) return assessInterpreter
  const plain = VERSIONED.exec(program)?.[1]
  if (plain !== undefined) return TABLE.get(plain)
  const crossed = CROSS.exec(program)?.[1]
  if (crossed !== undefined) return TABLE.get(crossed)
  if (program.startsWith('llvm-')) return TABLE.get('strip')
  if (program.startsWith('mkfs.')) return TABLE.get('mkfs')
  if (program.startsWith('fsck.')) return TABLE.get('fsck')
  // `npx wrangler@latest deploy`
  const versioned = /^([a-z][\w-]{0,40})@[\w.^~-]{1,40}$/.exec(program)?.[1]
  if (versioned !== undefined && PROJECT_NAMES.has(versioned)) return TABLE.get(versioned)
  return undefined
}

const PROJECT_ASSESSORS: ReadonlySet<Assess | undefined> = new Set([
  assessDevTool,
  assessFormatter,
  assessMake,
  assessNodePackages,
  assessPythonPackages,
  assessRunner,
])

/** Others that come with a project's packages. */
const PROJECT_NAMES = new Set(
  (
    'shellcheck hadolint yamllint actionlint semgrep cloc tldr cdk aws-cdk cdktf aws bundle composer countersign ' +
    'prisma drizzle-kit knex sequelize sequelize-cli typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm mikro-orm ' +
    'wrangler vercel netlify netlify-cli firebase firebase-tools supabase serverless sls sst pm2 alembic aerich flask ' +
    'django-admin rails ansible ansible-playbook ansible-galaxy ansible-vault ansible-lint http https httpie sam pgcli ' +
    'mycli litecli checkov cfn-lint chalice zappa'
  ).split(' '),
)

/** Whether a program is one that projects install for themselves: `tsc`, `pip`, `npm`. */
export function isProjectTool(program: string): boolean {
  return PROJECT_NAMES.has(program) || PROJECT_ASSESSORS.has(TABLE.get(program))
}
