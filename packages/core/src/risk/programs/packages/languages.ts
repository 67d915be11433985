import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyPrefix } from '../assessor/assessor.ts'
import { rateVerbs } from '../assessor/rate-verbs.ts'
import { FOREIGN, fromElsewhere } from './project-tools.ts'
import { assessRunner, rateRun } from './runners.ts'

const INDEX =
  /^(?:--index-url|--extra-index-url|--find-links|--trusted-host|--index|--default-index|--pypi-url|-i)(?:=|$)/
const DANGEROUS_SETTING = /index|repositor|find-links|trusted|proxy|cert|pypi-token|http-basic|channel/i

/** pip, uv, poetry, pdm, pipenv, conda and similar. */
export const assessPythonPackages: Assess = (facts) => {
  const { part, program, verb } = facts
  const words =
    verb.kind === 'verb'
      ? [verb.verb, ...verb.rest.flatMap(({ value }) => (value?.startsWith('-') ? [] : [value ?? '?']))]
      : []
  const [first, second, third] = words
  const installs = /^(?:install|add|sync|download|wheel|pip|tool|inject|run|update)$/.test(first ?? '')
  if (installs && (anyPrefix(part, ...FOREIGN) || part.args.some(({ value }) => INDEX.test(value ?? ''))))
    return fromElsewhere(program)
  if (installs && part.args.some(({ value }) => /@ (?:https?|git\+)/.test(value ?? ''))) return fromElsewhere(program)
  if (
    first === 'config' &&
    (second === 'set' || (program === 'poetry' && third !== undefined) || anyFlag(part, '--add', '--prepend', '--set'))
  )
    return words.some((word) => DANGEROUS_SETTING.test(word)) && program !== 'conda' && program !== 'mamba'
      ? finding('high', 'packages.config', `${program} changes where packages come from or its credentials`, 'yes')
      : finding('medium', 'packages.config', `${program} changes its settings`, 'yes')
  if (program === 'uv' && first === 'tool' && second === 'run') return rateRun(third ?? null, 'uv tool run', true)
  if (program === 'pipx' && first === 'run')
    return assessRunner({ ...facts, part: { ...part, args: verb.kind === 'verb' ? verb.rest : [] } })
  if (program === 'uv' && first === 'run' && anyFlag(part, '--with'))
    return finding('medium', 'packages.install', 'uv installs packages and runs the project’s code with them', 'yes')
  return rateVerbs(facts)
}

/** cargo and rustup; `+nightly` only selects the toolchain. */
export const assessCargo: Assess = (facts) => {
  const { part } = facts
  return rateVerbs({
    ...facts,
    part: { ...part, args: part.args.filter(({ value }, at) => at > 0 || value?.startsWith('+') !== true) },
  })
}

export const assessGo: Assess = (facts) => {
  const { verb } = facts
  const addressed = verb.kind === 'verb' && verb.rest.some(({ value }) => /^[\w.-]+\.[a-z]+\/.*@/.test(value ?? ''))
  if (verb.kind === 'verb' && verb.verb === 'run' && addressed)
    return finding('high', 'packages.fetch-run', 'go downloads a program and runs it', 'unknown')
  return rateVerbs(facts)
}

export const assessGem: Assess = (facts) => {
  const foreign = anyFlag(facts.part, '--source', '-s', '--clear-sources') || anyPrefix(facts.part, ...FOREIGN)
  return foreign && facts.verb.kind === 'verb' && /^(?:install|i|update|sources)$/.test(facts.verb.verb)
    ? fromElsewhere('gem')
    : rateVerbs(facts)
}

export const assessBundle: Assess = (facts) =>
  facts.part.args.some(({ value }) => /^(?:mirror\.|ssl_verify|BUNDLE_MIRROR)/.test(value ?? ''))
    ? finding('high', 'packages.config', 'bundle changes where packages come from', 'yes')
    : rateVerbs(facts)

export const assessComposer: Assess = (facts) => {
  const { part, verb } = facts
  if (
    verb.kind === 'verb' &&
    verb.verb === 'config' &&
    part.args.some(({ value }) =>
      /^(?:repositor|repo|secure-http|disable-tls|allow-plugins|http-basic|github-oauth)/.test(value ?? ''),
    )
  )
    return finding('high', 'packages.config', 'composer changes where packages come from or its credentials', 'yes')
  return rateVerbs(facts)
}
