import type { HookAnswer, HostDriver } from '../drivers/host-driver.ts'

/** How a hook fails: what the probe answers, or a command line or module in its place. */
export interface Failure {
  readonly answer?: HookAnswer
  readonly command?: string
  readonly timeoutSeconds?: number
}

const REASON = 'the gate refuses this call'
/** Written into every host's configuration in its own unit. */
const SHORT_SECONDS = 3

const NESTED = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: REASON },
}
const FLAT = { permission: 'deny', user_message: REASON }

/** The failures of a hook that is a command line. */
export function commandFailures(driver: HostDriver): Readonly<Record<string, Failure>> {
  const deny = driver.deny(REASON)
  const { stdout: refusal = '' } = deny
  const isNested = refusal.includes('hookSpecificOutput')
  const withField = (field: object) => ({ stdout: JSON.stringify({ ...JSON.parse(refusal), ...field }) })
  const withDecision = (word: string) => ({ stdout: refusal.replace('"deny"', JSON.stringify(word)) })
  return {
    'exit-1': { answer: { exit: 1 } },
    'exit-1-with-refusal': { answer: { ...deny, exit: 1 } },
    'exit-2-silent': { answer: { exit: 2 } },
    'exit-2-with-message': { answer: { exit: 2, stderr: REASON } },
    'exit-2-with-refusal': { answer: { ...deny, exit: 2 } },
    crash: { answer: { crash: true } },
    hang: { answer: { hang: true }, timeoutSeconds: SHORT_SECONDS },
    'missing-program': { command: '/nowhere/countersign hook' },
    'not-executable': { command: '/etc/passwd' },
    silent: { answer: {} },
    'plain-text': { answer: { stdout: REASON } },
    'broken-json': { answer: { stdout: refusal.slice(0, -2) } },
    'line-before': { answer: { stdout: `starting\n${refusal}` } },
    'line-after': { answer: { stdout: `${refusal}\ndone` } },
    'two-objects': { answer: { stdout: `${refusal}\n${refusal}` } },
    'no-reason': { answer: { stdout: refusal.replace(/,"[^"]*[rR]eason":"[^"]*"/, '') } },
    'unknown-field': { answer: withField({ gate: 'countersign' }) },
    'suppress-output': { answer: withField({ suppressOutput: true }) },
    'unknown-decision': { answer: withDecision('refuse') },
    ask: { answer: withDecision('ask') },
    'foreign-shape': { answer: { stdout: JSON.stringify(isNested ? FLAT : NESTED) } },
    'long-refusal': { answer: driver.deny(REASON.repeat(400)) },
  }
}

/** The failures of a hook that is a module. */
export function moduleFailures(): Readonly<Record<string, Failure>> {
  const withHook = (name: string, body: string) =>
    `export const Gate = async () => ({ '${name}': async (_, output) => ${body} })`
  return {
    throws: { answer: { fail: REASON } },
    hang: { answer: { hang: true } },
    'syntax-error': { command: 'export const Gate = async () => ({' },
    'missing-import': { command: "import 'countersign-gone'\nexport const Gate = async () => ({})" },
    'throws-on-load': { command: `throw new Error('${REASON}')` },
    'throws-at-start': { command: `export const Gate = async () => { throw new Error('${REASON}') }` },
    silent: { command: 'export const Gate = async () => ({})' },
    'returns-refusal': { command: withHook('tool.execute.before', "({ decision: 'deny' })") },
    'permission-hook': { command: withHook('permission.ask', "{ output.status = 'deny' }") },
  }
}

export function failuresOf(driver: HostDriver): Readonly<Record<string, Failure>> {
  return driver.hookKind === 'command' ? commandFailures(driver) : moduleFailures()
}
