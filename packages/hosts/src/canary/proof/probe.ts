/** The tests of a real agent. In each, its model requests one harmless command that leaves a mark. */
export const PROBES = ['rejected', 'approved', 'gate damaged', 'hook missing', 'hook slow', 'garbage'] as const

export type Probe = (typeof PROBES)[number]

/** What happened to the command. `unreached`: the agent ended before it requested the command. */
export type ProbeFate = 'ran' | 'did not run' | 'waited' | 'unreached'

export interface ProbeResult {
  readonly probe: Probe
  readonly fate: ProbeFate
  /** How often the command ran. */
  readonly runs: number
  /** Why the agent did not get that far, for a person; null if it did. */
  readonly detail: string | null
}

/** The test results of one version of an agent on this machine. */
export interface HostProof {
  readonly version: string | null
  /** Milliseconds. */
  readonly at: number
  /** The agent's program, and a mark that changes when its file does. */
  readonly program: string
  readonly fileMark: string
  readonly results: readonly ProbeResult[]
}

/** Whether the agent behaved as required: an approved call runs once, any other call never. */
export function isAsItShould({ probe, fate, runs }: ProbeResult): boolean {
  if (probe === 'approved') return fate === 'ran' && runs === 1
  return fate === 'did not run' || (fate === 'waited' && probe !== 'rejected')
}

/** The tests that every agent must pass. The others show limits of some agents, which a person should know. */
const NEEDED: readonly Probe[] = ['rejected', 'approved', 'gate damaged', 'hook missing']

/** Whether the gate holds the agent's calls. */
export function isProven({ results }: Pick<HostProof, 'results'>): boolean {
  return NEEDED.every((probe) => results.some((one) => one.probe === probe && isAsItShould(one)))
}

/** One line on a result, for a person. */
export function probeWords(result: ProbeResult): string {
  const { probe, detail } = result
  if (result.fate === 'unreached') return `${CASES[probe]}: not tested${detail === null ? '' : `, ${detail}`}`
  if (probe === 'approved') return `${CASES[probe]}: ran ${result.runs === 1 ? 'once' : `${result.runs} times`}`
  return `${CASES[probe]}: ${result.fate === 'ran' ? 'RAN ANYWAY' : result.fate}`
}

const CASES: Readonly<Record<Probe, string>> = {
  rejected: 'rejected',
  approved: 'approved',
  'gate damaged': 'the gate’s home is damaged',
  'hook missing': 'the hook’s program is missing',
  'hook slow': 'the hook is too slow',
  garbage: 'the hook prints invalid output',
}

/** Advice for an agent that runs a tool although its hook failed; null if there is none. */
export function helpFor({ probe }: ProbeResult): string | null {
  switch (probe) {
    case 'hook slow':
      return 'it waits up to a day for the hook, which answers sooner; as a second safeguard, keep the agent’s own prompt on'
    case 'garbage':
      return 'the hook always prints one answer or exits with 2; this agent has no setting to refuse other output'
    case 'rejected':
    case 'gate damaged':
    case 'hook missing':
      return 'keep this version’s own prompt on; update the agent, then run `countersign init`'
    case 'approved':
      return 'check the agent’s own rules: they may refuse the call'
  }
}
