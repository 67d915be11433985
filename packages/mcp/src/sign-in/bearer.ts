/** The token that goes to one server, and to no other. None of it fails: what is wrong with it is in the advice. */
export interface Bearer {
  /** The token for a request that is about to be sent; null when nobody signed in. */
  current(): string | null | Promise<string | null>
  /** After the server refused one (or none): another to try; null when there is none. */
  another(refused: string | null): Promise<string | null>
  /** What a person does about a refusal, in one line. */
  advice(): string
  /** The same, where the server says that the sign-in does not reach far enough. */
  narrow(): string
}
