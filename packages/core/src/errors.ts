/** Every error Countersign can raise: one stable code, one row here and in docs/reference/errors.md. */
export const ERRORS = {
  CS_CALL_ARGS: 'the arguments are not plain JSON data',
  CS_CALL_TOO_LARGE: 'the arguments are too large',
  CS_CALL_TOO_DEEP: 'the arguments are nested deeper than 64 levels',
  CS_CALL_SHAPE: 'the call is malformed',
  CS_CALL_DUPLICATE: 'a call with this id already exists',
  CS_POLICY_READ: 'a policy file can’t be read',
  CS_POLICY_SYNTAX: 'a policy file is not valid YAML',
  CS_POLICY_INVALID: 'a policy file has an unknown key or an invalid value',
  CS_POLICY_TOO_LARGE: 'a policy file exceeds 256 KiB or 32 levels',
  CS_CHECK_BLOCKED: 'a safety check failed and can’t be overridden',
  CS_CHECK_UNKNOWN: 'a rule names a checker that is not registered',
  CS_BACKUP: 'a backup can’t be made, found or restored',
  CS_DENIED: 'the policy denies the call',
  CS_REJECTED: 'a person rejected the call',
  CS_EXPIRED: 'nobody decided before the deadline',
  CS_WITHDRAWN: 'the caller left before a decision',
  CS_STALE: 'a target or the policy changed after the call was shown',
  CS_QUEUE_FULL: 'too many calls are held',
  CS_NO_INTERFACE: 'a person must decide, and none can be asked',
  CS_TICKET_UNKNOWN: 'no submitted call has this ticket',
  CS_DECISION_LATE: 'the call is no longer held',
  CS_DECISION_UNKNOWN: 'no held call has this id',
  CS_DECISION_FORGED: 'the decision is not signed by an enrolled approver',
  CS_DECISION_MISMATCH: 'the decision is for something other than the held call',
  CS_DECISION_CODE: 'a manual decision needs a reason and the code from the details',
  CS_DECISION_PASSKEY: 'the policy requires a passkey for this decision',
  CS_ASKER: 'the asking side can’t decide',
  CS_GRANT_SCOPE: 'the grant is broader than the ones offered',
  CS_GRANT_UNKNOWN: 'no grant has this id',
  CS_PERMIT_FORGED: 'the permit was not issued by this gate',
  CS_PERMIT_SPENT: 'the permit was already used',
  CS_PERMIT_MISMATCH: 'the permit is for another call',
  CS_TOOL_FAILED: 'the tool ran and failed',
  CS_SANDBOX: 'the sandbox can’t run the command',
  CS_STORE_OPEN: 'the store can’t be opened',
  CS_STORE_WRITE: 'the store can’t be written',
  CS_STORE_READ: 'the store can’t be read',
  CS_STORE_UNSURE: 'a commit’s outcome can’t be found out',
  CS_STORE_SEAL: 'a sealed row can’t be opened with this home’s key',
  CS_STORE_VERSION: 'the store belongs to another version of Countersign',
  CS_JOURNAL_DAMAGED: 'the journal failed verification',
  CS_KEY: 'a key is missing, unreadable, or readable by others',
  CS_PASSPHRASE: 'the approver key is sealed and its passphrase is missing or wrong',
  CS_HOME: 'the home folder can’t be used',
  CS_APPROVERS: 'the file of approvers or trusted projects can’t be used',
  CS_CLOCK: 'the clocks of this machine and of the shared store differ too much',
  CS_GATES: 'the list of gates that share a store can’t be trusted or changed',
  CS_PINS: 'the file of a server’s accepted tools can’t be used',
  CS_MCP_SIGN_IN: 'a sign-in to an MCP server failed or is no longer valid',
  CS_CLIENT_CONFIG: 'the configuration of an MCP client or coding agent can’t be read or changed safely',
  CS_TARGET: 'a file the call names can’t be examined',
  CS_WORKSPACE: 'the workspace can’t be the root, a home or a system folder',
  CS_NOTIFY: 'a notification setting, channel or subscription can’t be used',
  CS_SERVICE: 'no service is running, or another one already is',
  CS_SERVICE_GONE: 'the service is gone; nothing was allowed',
  CS_PROTOCOL: 'a message does not follow the service’s protocol',
  CS_SIGN_IN: 'not signed in, or a ticket or code is invalid or was used',
  CS_HOST_EVENT: 'a coding agent sent its hook an event that can’t be read',
  CS_MODEL: 'a model or its script can’t be used',
  CS_TASK: 'a task file is invalid, or its artifacts can’t be written',
  CS_INTERNAL: 'an internal error; the call was refused',
  CS_USAGE: 'the command line is invalid',
} as const

/** A stable code of `ERRORS`: programs may rely on it, messages may be reworded. */
export type ErrorCode = keyof typeof ERRORS

/** The one error class. The message is one line and says what to do next. */
export class CountersignError extends Error {
  override readonly name = 'CountersignError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Any thrown value as a CountersignError: ours stay as they are, the rest become `code`. */
export function asCountersignError(error: unknown, code: ErrorCode, message: string): CountersignError {
  if (error instanceof CountersignError) return error
  return new CountersignError(code, message, { cause: error })
}

/** Ends every switch over a closed union. */
export function assertNever(value: never): never {
  throw new CountersignError('CS_INTERNAL', `unexpected value \`${String(value)}\`; please report this`)
}
