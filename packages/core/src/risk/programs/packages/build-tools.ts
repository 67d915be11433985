import { valuedOptionsOf } from '../../../knowledge/programs.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyPrefix } from '../assessor/assessor.ts'
import { rateAs } from '../assessor/rate-row.ts'
import { rateVerbs } from '../assessor/rate-verbs.ts'
import { named } from './project-tools.ts'
import { rateScriptName } from './script-names.ts'

/** Goals that stay on this machine despite their names. */
const LOCAL = /^(?:publishlocal|publishm2|publishtomavenlocal|release:clean|installdist|install)$/i
const READS =
  /^(?:dependency:(?:tree|list|analyze|resolve)|help|tasks|dependencies|projects|properties|dependencyinsight|help:.*|versions:display.*|components|outgoingvariants|javatoolchains|buildenvironment|plugins|reload|show|inspect|enforcer:.*)$/i
const DESTROYS =
  /^(?:flyway:?clean|liquibase:?dropall|dropall|flywayclean|.*[dD]eployTo.*|jib:build|jib|.*:push|nexus-staging:.*|scm:checkin|site-deploy|central-publishing:.*|deploy:.*|release:(?:perform|prepare|stage|rollback)|publishsigned|releaseearly|.*dockerpush.*)$/i

const publishes = (program: string, goal: string): RiskFinding =>
  finding('high', 'packages.publish', `${program} publishes, deploys or destroys`, 'no', named(goal))

/** Maven, Gradle, sbt and similar: goals and tasks as words. */
export const assessBuilder: Assess = ({ part, program }) => {
  if (anyFlag(part, '--dry-run', '-m') && program.startsWith('gradle'))
    return finding('none', 'build.dry-run', `${program} only prints`)
  if (
    anyFlag(part, '--init-script', '-I') ||
    anyPrefix(part, '-Dexec.executable', '-Dmaven.ext.class.path', '-javaagent')
  )
    return finding('high', 'build.injection', `${program} runs code or settings from the command line`, 'unknown')
  const goals = plainWords(part, valuedOptionsOf('mvn'))
  if (goals.some(({ value }) => value === null))
    return finding('high', 'build.unknown', `the effect of ${program} is unknown`, 'unknown')
  const names = goals
    .flatMap(({ value }) => (value ?? '').split(/\s+/))
    .map((goal) => (goal.startsWith(':') ? goal.slice(goal.lastIndexOf(':') + 1) : goal))
  for (const name of names) {
    if (LOCAL.test(name)) continue
    if (DESTROYS.test(name) || rateScriptName(name) === 'high') return publishes(program, name)
  }
  if (names.length > 0 && names.every((name) => READS.test(name)))
    return finding('none', 'build.read', `${program} only reads`)
  return names.some((name) =>
    /^(?:versions:(?:set|use)|wrapper|spotlessapply|ktlintformat|scalafmtall|licenseformat)/i.test(name),
  )
    ? finding('medium', 'build.rewrite', `${program} rewrites project files`, 'yes')
    : finding('low', 'build.run', 'runs the project’s own code', 'partly')
}

/** Bazel and similar: verbs with targets. */
export const assessBazel: Assess = (facts) => {
  const target =
    facts.verb.kind === 'verb'
      ? facts.verb.rest.find(({ value }) => value !== null && /^(?:\/\/|:|@)/.test(value))?.value
      : null
  const runs = facts.verb.kind === 'verb' && facts.verb.verb === 'run'
  if (runs && target != null && rateScriptName(target.slice(target.lastIndexOf(':') + 1)) === 'high')
    return publishes(facts.program, target)
  return rateVerbs(facts)
}

/** Nix: builds are low, running code from a URL is high. */
export const assessNix: Assess = (facts) => {
  const { part, program } = facts
  if (program === 'nixos-rebuild' || program === 'darwin-rebuild')
    return anyFlag(part, 'build', 'dry-build') || part.args[0]?.value === 'build' || part.args[0]?.value === 'dry-build'
      ? finding('low', 'build.run', `${program} only builds`)
      : finding('high', 'packages.system', `${program} changes the whole system`, 'partly')
  if (program === 'nix-collect-garbage')
    return finding(
      anyFlag(part, '-d', '--delete-old') ? 'high' : 'medium',
      'packages.garbage',
      'deletes old versions of packages',
      'no',
    )
  if (
    program === 'nix' &&
    part.args[0]?.value === 'run' &&
    anyPrefix(part, 'github:', 'gitlab:', 'git+', 'http', 'sourcehut:')
  )
    return finding('high', 'packages.fetch-run', 'nix downloads a program and runs it', 'unknown')
  return rateVerbs(facts)
}

const PLATFORM = /^(?:ios|android|mac)$/

/** fastlane: lanes of the project, often after a platform. */
export const assessFastlane: Assess = (facts) => {
  const [first, ...rest] = facts.part.args
  const args = first?.value != null && PLATFORM.test(first.value) ? rest : facts.part.args
  const lane = args[0]?.value ?? null
  return lane !== null && rateScriptName(lane) === 'high'
    ? publishes(facts.program, lane)
    : rateAs('flutter', { ...facts, part: { ...facts.part, args } })
}
