import type { CommandPart } from '../../command/model/decomposition.ts'
import { wordSet } from '../arguments/word-set.ts'
import type { RiskLevel } from '../report/level.ts'

/** Programs that run what a file of a fixed name says. */
export interface RecipeRow {
  readonly programs: ReadonlySet<string>
  /** Verbs under which they run it; whatever they are told, when absent. */
  readonly verbs?: RegExp
  /** What such files are called, in lower case. */
  readonly files: RegExp
  /** How bad it is when the file came from the network in the same command. */
  readonly fetched: RiskLevel
}

const INSTALLS =
  /^(?:install|i|ci|add|run|run-script|test|start|build|exec|rebuild|pack|publish|sync|update|up|upgrade)$/

const ROWS: readonly RecipeRow[] = [
  {
    programs: wordSet('make gmake bmake just task rake ninja meson cmake scons invoke inv nox tox mage'),
    files:
      /^(?:gnumakefile|makefile|.*\.mk|justfile|\.justfile|taskfile\.ya?ml|rakefile|build\.ninja|meson\.build|cmakelists\.txt|sconstruct|tasks\.py|noxfile\.py|tox\.ini|magefile\.go)$/,
    fetched: 'critical',
  },
  {
    programs: wordSet('gradle gradlew mvn mvnw sbt ant lein bazel bazelisk'),
    files:
      /^(?:(?:build|settings|init)\.gradle(?:\.kts)?|pom\.xml|build\.sbt|build\.xml|project\.clj|build|workspace|module\.bazel)$/,
    fetched: 'critical',
  },
  {
    programs: wordSet('npm pnpm yarn bun'),
    verbs: INSTALLS,
    files: /^(?:package\.json|\.npmrc|\.yarnrc\.yml|\.pnpmfile\.cjs)$/,
    fetched: 'high',
  },
  {
    programs: wordSet('pip pip3 uv poetry pdm pipenv pipx'),
    verbs: INSTALLS,
    files: /^(?:setup\.py|setup\.cfg|pyproject\.toml|.*requirements.*\.txt|pipfile)$/,
    fetched: 'high',
  },
  { programs: wordSet('bundle bundler gem'), files: /^(?:gemfile|.*\.gemspec)$/, fetched: 'high' },
  { programs: wordSet('composer'), files: /^composer\.json$/, fetched: 'high' },
  { programs: wordSet('cargo'), files: /^(?:cargo\.toml|build\.rs)$/, fetched: 'high' },
  {
    programs: wordSet('docker podman buildah nerdctl docker-compose podman-compose'),
    verbs: /^(?:build|buildx|compose|up|run|create|start|bud|stack)$/,
    files: /^(?:(?:.*\.)?dockerfile(?:\..*)?|containerfile|(?:docker-)?compose(?:\..*)?\.ya?ml)$/,
    fetched: 'high',
  },
  { programs: wordSet('vagrant'), files: /^vagrantfile$/, fetched: 'high' },
  { programs: wordSet('direnv'), verbs: /^(?:allow|exec|reload)$/, files: /^\.envrc$/, fetched: 'high' },
  {
    programs: wordSet('pre-commit lefthook'),
    files: /^(?:\.pre-commit-config\.yaml|lefthook\.ya?ml)$/,
    fetched: 'high',
  },
]

const BY_PROGRAM: ReadonlyMap<string, RecipeRow> = new Map(
  ROWS.flatMap((row) => [...row.programs].map((program): [string, RecipeRow] => [program, row])),
)

/** The row of a part that runs such a file; null for any other. */
export function recipeOf(part: CommandPart): RecipeRow | null {
  const row = BY_PROGRAM.get(part.program?.toLowerCase() ?? '')
  if (row === undefined) return null
  const { verbs } = row
  // `yarn` alone installs.
  if (verbs === undefined || part.args.length === 0) return row
  return part.args.some(({ value }) => value !== null && verbs.test(value)) ? row : null
}

/** Programs that run recipes straight away, not to fetch more packages first. */
export function runsAtOnce(row: RecipeRow): boolean {
  return row.fetched === 'critical'
}
