import { knownPackages, programRow, valuedOptionsOf } from '../../../knowledge/programs.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyPrefix, type PartFacts } from '../assessor/assessor.ts'
import { FOREIGN, fromElsewhere, named } from './project-tools.ts'

let packages: { readonly tools: ReadonlySet<string>; readonly scaffolds: ReadonlySet<string> } | undefined

/**
 * Whether a package that a runner is told to run is one people know: `tool`, a `scaffold`, a `creator` by its name
 * alone, or `unknown`.
 */
function packageSort(name: string): 'tool' | 'scaffold' | 'creator' | 'unknown' {
  const { tools, scaffolds, programs } = knownPackages()
  packages ??= { tools: new Set(tools), scaffolds: new Set(scaffolds) }
  const version = name.lastIndexOf('@')
  const bare = version > 0 ? name.slice(0, version) : name
  const program = Object.hasOwn(programs, bare) ? (programs[bare] ?? bare) : bare
  const rater = programRow(program)?.rater
  if (rater === 'dev-tool' || rater === 'formatter' || packages.tools.has(program)) return 'tool'
  if (packages.scaffolds.has(bare) || packages.scaffolds.has(name)) return 'scaffold'
  return /^(?:@[\w.-]+\/)?create(?:-[\w.-]+)?$/.test(bare) ? 'creator' : 'unknown'
}

/** Rates what a runner such as `npx` fetches and runs. */
export function rateRun(name: string | null, program: string, asked: boolean): RiskFinding {
  if (name === null) return finding('high', 'packages.fetch-run', `${program} runs an unknown package`, 'unknown')
  if (anyStart(name, FOREIGN) || name.startsWith('/tmp/')) return fromElsewhere(program)
  if (
    /^(?:semantic-release|release-it|np|gh-pages|vsce|ovsx|eas|eas-cli|surge|auto|shipjs|release-please|publish-please)(?:@|$)/.test(
      name,
    )
  )
    return finding('high', 'packages.publish', `${program} publishes or deploys`, 'no', named(name))
  const sort = packageSort(name)
  switch (sort) {
    case 'tool':
      return asked || name.indexOf('@', 1) !== -1
        ? finding('medium', 'packages.fetch-run', `${program} may download a well-known tool and run it`, 'yes')
        : finding('low', 'packages.run', `${program} runs a tool of the project`)
    case 'scaffold':
      return finding('medium', 'packages.scaffold', `${program} downloads a well-known tool and runs it`)
    case 'creator':
    case 'unknown': {
      // npx asks before it downloads, unless `--yes` or a version is given.
      const asks = sort === 'creator' ? !asked || program !== 'npx' : !asked && /^(?:npx|npm)$/.test(program)
      return finding(
        name.indexOf('@', 1) !== -1 || !asks ? 'high' : 'medium',
        'packages.fetch-run',
        `${program} may download a package and run it`,
        'unknown',
        named(name),
      )
    }
  }
}

function anyStart(text: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => text.startsWith(prefix))
}

/** `npx`, `bunx`, `uvx`: they fetch a package when it is not there, and run it. */
export const assessRunner: Assess = ({ part, program, hasInner }: PartFacts) => {
  if (anyPrefix(part, ...FOREIGN) || anyFlag(part, '--registry', '--index-url', '--extra-index-url', '--index'))
    return fromElsewhere(program)
  if (anyFlag(part, '--no-install', '--no', '--offline'))
    return finding('low', 'packages.run', `${program} runs a tool of the project`)
  const tool = plainWords(part, valuedOptionsOf('npx'))[0]
  // Words after the tool belong to it: `npx tsc -p tsconfig.json`.
  const own = tool === undefined ? part.args : part.args.slice(0, part.args.indexOf(tool))
  const named = own.find((_, at) => /^(?:-p|--package|--from|--spec)$/.test(own[at - 1]?.value ?? ''))
  const first = named ?? tool
  if (first === undefined)
    return hasInner
      ? finding('low', 'packages.run', `${program} runs a tool of the project`)
      : finding('none', 'packages.bare', `${program} runs nothing`)
  const asked =
    program === 'uvx' ||
    program === 'pipx' ||
    named !== undefined ||
    own.some(({ value }) => /^(?:-y|--yes)$/.test(value ?? ''))
  // A path in the project is not a package.
  if (first.value !== null && /^\.{0,2}\//.test(first.value))
    return finding('low', 'packages.run', `${program} runs a tool of the project`)
  return rateRun(first.value, program, asked)
}
