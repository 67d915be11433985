/** Why the loop ended, and one line that says what to do next. */
export interface Stop {
  readonly why:
    | 'done'
    | 'aborted'
    | 'iterations'
    | 'repeated-refusal'
    | 'stagnation'
    | 'tokens'
    | 'time'
    | 'errors'
    | 'model-failed'
    | 'broken'
  readonly message: string
}
