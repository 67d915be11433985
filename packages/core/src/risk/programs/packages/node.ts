import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyPrefix } from '../assessor/assessor.ts'
import { matchVerb, rateVerbs } from '../assessor/rate-verbs.ts'
import { FOREIGN, fromElsewhere, rateScript } from './project-tools.ts'
import { assessRunner, rateRun } from './runners.ts'

const RUNS = /^(?:run|run-script|rum|urn|task)$/
const FETCHES = /^(?:install|i|in|add|ci|update|up|upgrade|create|init|dlx|exec|x|link)$/
/** Settings that change the registry or run something. */
const DANGEROUS_SETTING =
  /registry|script-shell|shell|proxy|strict-ssl|^_?auth|:_|node-options|init-module|onload-script|git$|cafile|userconfig|npmPublishRegistry|npmRegistryServer|plugins|yarnPath|enableScripts/i

/** npm, pnpm, yarn and bun. */
export const assessNodePackages: Assess = (facts) => {
  const { part, program, verb } = facts
  if (verb.kind === 'none' && program === 'yarn' && !anyFlag(part, '-v', '--version', '-h', '--help'))
    return finding('medium', 'packages.install', 'yarn installs packages', 'yes')
  if (verb.kind === 'none' && program === 'bun') return finding('none', 'packages.bare', 'bun shows its help')
  if (verb.kind !== 'verb') return rateVerbs(facts)
  const words = verb.rest.filter(({ value }) => value === null || !value.startsWith('-'))
  const first = words[0]?.value ?? null
  if (
    FETCHES.test(verb.verb) &&
    (anyPrefix(part, ...FOREIGN) || part.args.some(({ value }) => /^--?registry(?:=|$)/.test(value ?? '')))
  )
    return fromElsewhere(program)
  if (RUNS.test(verb.verb)) {
    if (words.length === 0) return finding('none', 'packages.list', `${program} lists the project’s scripts`)
    return first === null
      ? finding('high', 'packages.unknown', `${program} runs an unknown script`, 'unknown')
      : rateScript(first, program)
  }
  if (verb.verb === 'dlx' || ((verb.verb === 'exec' || verb.verb === 'x') && (program === 'npm' || program === 'bun')))
    return assessRunner({ ...facts, part: { ...part, args: verb.rest } })
  if (verb.verb === 'exec') return finding('low', 'packages.run', `${program} runs a tool of the project`)
  if (verb.verb === 'create' || ((verb.verb === 'init' || verb.verb === 'innit') && words.length > 0))
    return rateRun(first === null ? null : creatorOf(first), program, true)
  if (/^(?:config|c|set)$/.test(verb.verb)) {
    const names = words.map(({ value }) => value ?? 'registry')
    const writes = verb.verb === 'set' || /^(?:set|delete|rm|edit|unset)$/.test(names[0] ?? '')
    if (writes) {
      return names.some((name) => DANGEROUS_SETTING.test(name)) || names[0] === 'edit'
        ? finding('high', 'packages.config', `${program} changes where packages come from or what runs them`, 'yes')
        : finding('medium', 'packages.config', `${program} changes its settings`, 'yes')
    }
  }
  if (verb.verb === 'workspace' || verb.verb === 'workspaces') {
    const script =
      verb.verb === 'workspace' ? (words[1]?.value ?? 'list') : (words[1]?.value ?? words[0]?.value ?? 'list')
    return /^(?:add|install|remove|up)$/.test(script)
      ? finding('medium', 'packages.install', `${program} installs packages`, 'yes')
      : rateScript(words[2]?.value ?? script, program)
  }
  const rated = matchVerb(facts)
  // Any other word is a script of the project: `yarn deploy:prod`.
  if (rated.verb === null && rated.finding.rule !== 'packages.dry-run') {
    const script = rateScript(verb.verb, program)
    // npm does not run scripts by their bare name.
    return program === 'npm' && script.level === 'low'
      ? finding('medium', 'packages.unknown', 'npm runs an unknown command', 'unknown')
      : script
  }
  return rated.finding
}

/** The package that `npm create x` runs: `create-x`, `@scope/create-x`, `@scope/create`. */
function creatorOf(name: string): string {
  const [, scope, rest] = /^(@[\w.-]{1,100})(?:\/(.{1,100}))?$/.exec(name) ?? []
  if (scope === undefined) return `create-${name}`
  return rest === undefined ? `${scope}/create` : `${scope}/create-${rest}`
}
