/** One word, text or sign of inline code. Comments and white space leave none, but for the ends of lines. */
export interface CodeToken {
  /** `shell`: a command between backticks. `variable`: a name behind a sigil. */
  readonly kind: 'name' | 'string' | 'shell' | 'variable' | 'sign' | 'end'
  /** A name, a text's content, or the sign; `->` and `::` read `.`. */
  readonly text: string
  /** Of a text: part of it is computed. */
  readonly dynamic: boolean
}

/** What a tokenizer leaves for later: code inside texts. */
export interface Later {
  readonly code: string[]
}
