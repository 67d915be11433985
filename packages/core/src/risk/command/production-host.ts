import type { CommandPart } from '../../command/model/decomposition.ts'
import { PROGRAMS } from '../../knowledge/compiled/commands.ts'
import { isProduction } from '../programs/assessor/production-target.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { RiskLevel } from '../report/level.ts'

const NONE: ReadonlySet<number> = new Set()

/** The parts that run on a production machine, going by the command that runs them. */
export function productionParts(parts: readonly CommandPart[]): ReadonlySet<number> {
  if (parts.length < 2) return NONE
  const found = new Set<number>()
  const outer: { readonly part: CommandPart; readonly production: boolean }[] = []
  parts.forEach((part, index) => {
    let top = outer.at(-1)
    while (top !== undefined && !isInside(part, top.part)) {
      outer.pop()
      top = outer.at(-1)
    }
    if (top?.production === true) found.add(index)
    outer.push({ part, production: top?.production === true || namesProduction(part) })
  })
  return found
}

function isInside({ via, span }: CommandPart, outer: CommandPart): boolean {
  return via.length > outer.via.length && span.start >= outer.span.start && span.end <= outer.span.end
}

/** Raises the level of a change on a production machine. */
export function rateOnProduction(level: RiskLevel): RiskFinding | null {
  if (level !== 'low' && level !== 'medium') return null
  const raised = level === 'medium' ? 'high' : 'medium'
  return finding(raised, 'production.inner', 'changes something on a production machine', 'partly')
}

/** Raises the level of a change where the workspace or the call declares production. Local everyday work stays as it is. */
export function rateInProduction(level: RiskLevel): RiskFinding | null {
  return level === 'medium' ? finding('high', 'production.declared', 'changes something in production', 'partly') : null
}

function namesProduction({ program, args }: CommandPart): boolean {
  const name = program?.toLowerCase() ?? ''
  if (PROGRAMS.remoteShells.has(name)) {
    const host = args.find(
      ({ value }, at) =>
        value !== null &&
        !value.startsWith('-') &&
        !/^-[a-zA-Z0-9]*[BbcDEeFIiJLlmOopPQRSWw]$/.test(args[at - 1]?.value ?? ''),
    )
    return isProduction(host?.value ?? '')
  }
  if (!PROGRAMS.remoteRunners.has(name)) return false
  return args.some(({ value }, at) => {
    const joined = /^(--[a-z-]+)=(.*)$/.exec(value ?? '')
    if (joined !== null) return PROGRAMS.placeOptions.has(joined[1] ?? '') && isProduction(joined[2] ?? '')
    return PROGRAMS.placeOptions.has(args[at - 1]?.value ?? '') && isProduction(value ?? '')
  })
}
