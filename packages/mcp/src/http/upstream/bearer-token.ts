/** The token that goes to one server, and to no other. */
export interface Bearer {
  /**
   * The token for a request that is about to be sent; null when nobody signed in. INVARIANT: fails where somebody did and it
   * cannot be used: a call that was approved for a person who signed in does not go out as nobody's.
   */
  current(): string | null | Promise<string | null>
  /** The same without asking anybody: undefined where that would be needed, or fail. */
  atHand(): string | null | undefined
  /** After the server refused one (or none): another to try; null when there is none. Never fails: the advice says why. */
  another(refused: string | null): Promise<string | null>
  /** The server met this one with something else than a 401. */
  taken(token: string): void
  /** What a person does about a refusal, in one line. */
  advice(): string
  /** The same, where the server says that the sign-in does not reach far enough, and perhaps how far it should. */
  narrow(wanted: string | null): string
}
