/** Every error Countersign can raise: one stable code, one row here and in docs/reference/errors.md. */
export const ERRORS = {
  CS_CALL_ARGS: 'the arguments are not plain JSON data',
  CS_CALL_TOO_LARGE: 'the arguments are larger than the cap',
  CS_CALL_TOO_DEEP: 'the arguments are nested deeper than 64 levels',
  CS_CALL_SHAPE: 'the call itself is malformed',
  CS_CALL_DUPLICATE: 'a call with this id was already taken',
  CS_POLICY_READ: 'a policy file exists but cannot be read',
  CS_POLICY_SYNTAX: 'a policy file is not valid YAML',
  CS_POLICY_INVALID: 'a policy file says something the language does not have',
  CS_POLICY_TOO_LARGE: 'a policy file is over 256 KiB or nested deeper than 32',
  CS_CHECK_BLOCKED: 'a safety check failed and may not be overridden',
  CS_CHECK_UNKNOWN: 'a rule names a checker that is not registered',
  CS_BACKUP: 'a copy of what the call changes cannot be kept, found or put back',
  CS_DENIED: 'policy denies the call',
  CS_REJECTED: 'a person rejected the call',
  CS_EXPIRED: 'nobody decided before the deadline',
  CS_WITHDRAWN: 'the caller went away before a decision',
  CS_STALE: 'a target or the policy changed after the call was shown',
  CS_QUEUE_FULL: 'too many calls are held already',
  CS_NO_INTERFACE: 'a person is needed and none can be asked',
  CS_TICKET_UNKNOWN: 'no call with this ticket was submitted',
  CS_DECISION_LATE: 'the call is no longer held',
  CS_DECISION_UNKNOWN: 'no call with this mark or id is held',
  CS_DECISION_FORGED: 'the decision is not signed by an enrolled approver',
  CS_DECISION_MISMATCH: 'the decision is about something other than what is held',
  CS_DECISION_CODE: 'a manual decision needs the code shown with the details, and a reason',
  CS_DECISION_PASSKEY: 'policy demands a passkey for this decision',
  CS_ASKER: 'whoever asks cannot decide',
  CS_GRANT_SCOPE: 'the grant is broader than may be given here',
  CS_GRANT_UNKNOWN: 'no grant with this id',
  CS_PERMIT_FORGED: 'the permit was not minted by this gate',
  CS_PERMIT_SPENT: 'the permit was already used',
  CS_PERMIT_MISMATCH: 'the permit is for another call',
  CS_TOOL_FAILED: 'the tool ran and failed',
  CS_STORE_OPEN: 'the store cannot be opened',
  CS_STORE_WRITE: 'the store cannot be written',
  CS_STORE_READ: 'the store cannot be read',
  CS_STORE_SEAL: 'a sealed row cannot be opened with this home’s key',
  CS_STORE_VERSION: 'the store was made by another version',
  CS_JOURNAL_DAMAGED: 'the journal does not verify',
  CS_KEY: 'a key is missing, unreadable or readable by others',
  CS_PASSPHRASE: 'the approver key is sealed and its passphrase is missing or wrong',
  CS_HOME: 'the home folder cannot be used',
  CS_APPROVERS: 'the file of enrolled approvers or trusted projects cannot be used',
  CS_PINS: 'the file of a server’s accepted tools cannot be used',
  CS_MCP_SIGN_IN: 'a sign-in to an MCP server failed, or what was kept of it cannot be used',
  CS_CLIENT_CONFIG: 'the configuration of an MCP client cannot be read or changed safely',
  CS_TARGET: 'a file the call names cannot be looked at',
  CS_WORKSPACE: 'the workspace may not be the root, a home or a folder of the system',
  CS_SERVICE: 'no service answers, or another one is already running',
  CS_SERVICE_GONE: 'the service went away; nothing was allowed',
  CS_PROTOCOL: 'a line or a request is not what the service’s protocol has',
  CS_SIGN_IN: 'nobody is signed in, or a ticket or code is wrong or was used',
  CS_MODEL: 'a model or a script of one cannot be used',
  CS_TASK: 'a task file is wrong, or its artefacts cannot be written',
  CS_INTERNAL: 'something inside Countersign went wrong; the call was refused',
  CS_USAGE: 'the command line is wrong',
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
