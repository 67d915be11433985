import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyPrefix } from '../assessor/assessor.ts'
import { rateVerbs } from '../assessor/rate-verbs.ts'
import { FOREIGN, fromElsewhere } from './project-tools.ts'

/** cargo and rustup; `+nightly` only picks the tool chain. */
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
