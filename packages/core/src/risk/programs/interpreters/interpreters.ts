import { inlineCode } from '../../../command/code/inline-code.ts'
import { moduleOf } from '../../../command/code/python-module.ts'
import type { CommandWord } from '../../../command/model/decomposition.ts'
import { rowList, valuedOptionsOf } from '../../../knowledge/programs.ts'
import { optionValue } from '../../path/unresolved-path.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import { riskRank } from '../../report/level.ts'
import { type Assess, anyFlag, type PartFacts } from '../assessor/assessor.ts'
import { rateFrameworkScript } from './frameworks.ts'
import { rateCode } from './inline-code.ts'

/** Rates an interpreter by the code it is given: inline, by file, by module or by its input. */
export const assessInterpreter: Assess = (facts) => {
  const { part, program } = facts
  const code = inlineCode(program, part.args, part.stdin)
  if (code !== null) {
    const rated = rateCode(code, facts)
    const rewrites = /^(?:perl|ruby)/.test(program) && inPlace(part.args)
    return rewrites && riskRank(rated.level) < riskRank('medium')
      ? finding('medium', 'files.rewrite', `${program} rewrites files in place`)
      : rated
  }
  const module = moduleOf(program, part.args)
  return module === null ? rateScript(facts) : rateModule(module.name, module.program, facts)
}

/** `-i`, `-pi`, `-i.bak`; not the `i` in `-ruri`. */
export function inPlace(args: readonly CommandWord[]): boolean {
  return args.some(({ value }) => value !== null && /^-[acdlnpswW0-7]{0,8}i/.test(value))
}

function rateScript(facts: PartFacts): RiskFinding {
  const { part, program } = facts
  const served = program.startsWith('php') ? part.args.find((_, at) => part.args[at - 1]?.value === '-S') : undefined
  if (served !== undefined)
    return served.value?.startsWith('0.0.0.0') === true
      ? finding('high', 'network.listen', 'serves the project to the whole network', 'yes')
      : finding('medium', 'network.listen', 'serves the project on this machine', 'yes')
  const script = scriptOf(part.args)
  const fed = script === undefined || script.value === '-' || script.value === '/dev/stdin'
  if (script === undefined && part.args.length > 0 && part.stdin.kind !== 'piped')
    return finding('low', 'code.option', `${program} runs the project’s own code or prints its version`)
  if (fed && part.stdin.kind !== 'none')
    return finding('high', 'code.stdin', `${program} runs code from its input`, 'unknown')
  if (fed) return finding('medium', 'code.session', `${program} opens a session`)
  if (script.value === null)
    return finding('high', 'code.unknown', `${program} runs a script that is not known`, 'unknown')
  if (/^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|npm:|jsr:|data:)/i.test(script.value))
    return finding('high', 'code.remote', `${program} runs code from the network`, 'unknown')
  const placed = rateScriptPath(script.value, facts)
  const framework = rateFrameworkScript(script.value, facts)
  return framework !== null && riskRank(framework.level) > riskRank(placed.level) ? framework : placed
}

function scriptOf(args: readonly CommandWord[]): CommandWord | undefined {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    const value = word?.value ?? null
    if (value !== null && valuedOptionsOf('python').has(value)) at++
    else if (
      value === null ||
      value === '-' ||
      (!value.startsWith('-') && !rowList('python', 'subcommands').has(value))
    )
      return word
  }
  return undefined
}

/** A script of the project, or one from elsewhere. */
function rateScriptPath(given: string, { paths, program }: PartFacts): RiskFinding {
  const located = paths.find((path) => path.use === 'execute' && path.given === given)
  switch (located?.place) {
    case 'temp':
    case 'device':
    case 'credentials':
    case 'gate':
    case null:
      return finding('high', 'code.outside', `${program} runs a script from an unsafe place`, 'unknown')
    case 'home':
    case 'elsewhere':
    case 'startup':
    case 'vcs':
    case 'system':
      return /\/downloads\//i.test(located.at ?? '')
        ? finding('high', 'code.outside', `${program} runs a script that was downloaded`, 'unknown')
        : finding('medium', 'code.outside', `${program} runs a script from outside the workspace`, 'unknown')
    default:
      return finding('low', 'code.script', 'runs a script of the project', 'partly')
  }
}

function rateModule(name: string | null, program: string | null, { part }: PartFacts): RiskFinding {
  if (name === null) return finding('high', 'code.unknown', 'python runs a module that is not known', 'unknown')
  if (program !== null) return finding('none', 'code.module', `python runs ${program}`)
  if (name === 'http.server' || name === 'SimpleHTTPServer') {
    const open = part.args.some(({ value }) => value === '0.0.0.0' || value === '--bind=0.0.0.0' || value === '::')
    return open
      ? finding('high', 'network.listen', 'serves files to the whole network', 'yes')
      : finding('medium', 'network.listen', 'serves files to the network', 'yes')
  }
  if (name === 'zipfile' || name === 'tarfile')
    return anyFlag(part, '-l', '--list', '-t', '--test')
      ? finding('none', 'files.archive-list', 'python only lists an archive')
      : finding('medium', 'files.archive', 'python packs or unpacks files')
  if (name === 'ensurepip') return finding('medium', 'packages.install', 'python installs pip')
  return finding('low', 'code.module', 'runs a module of the project')
}

/** A shell: with code it is rated by that code's own parts; a script or its input is rated here. */
export const assessShell: Assess = (facts) => {
  const { part, program, hasInner } = facts
  const startup = optionValue(part, ['--rcfile', '--init-file'])
  if (startup !== null && startup.value !== '/dev/null') {
    const project = startup.value !== null && !/^[/~]|\.\./.test(startup.value)
    return finding(
      project ? 'medium' : 'high',
      'shell.startup',
      `${program} starts with another startup file`,
      'unknown',
    )
  }
  if (hasInner) return finding('none', 'shell.inner', `${program} runs the commands shown`)
  const script = part.args.find(
    (word) => word.value === null || (!word.value.startsWith('-') && !word.value.startsWith('+')),
  )
  const checks = part.args.some((word) => word.value !== null && /^-[a-z]*n[a-z]*$/.test(word.value))
  if (script !== undefined && script.value === null)
    return finding('high', 'shell.unknown', `${program} runs a script that is not known`, 'unknown')
  if (script?.value != null && part.args.some((word) => word.value !== null && /^-[a-z]*c$/.test(word.value)))
    return finding('none', 'shell.inner', `${program} runs nothing`)
  if (script?.value != null && script.value !== '/dev/stdin')
    return checks
      ? finding('none', 'shell.check', `${program} only checks a script`)
      : rateScriptPath(script.value, facts)
  if (part.stdin.kind === 'none') return finding('medium', 'shell.session', `${program} opens a session`)
  return finding('high', 'shell.stdin', `${program} runs its input`, 'unknown')
}
