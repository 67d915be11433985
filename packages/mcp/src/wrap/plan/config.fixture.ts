/** Configuration files as people have them, one for each client: comments, odd spacing and all. */
export interface ConfigFixture {
  readonly client: string
  /** Below the account's home or the project. */
  readonly path: string
  readonly text: string
  /** The servers that go behind the gate, with what they were. */
  readonly wrapped: { readonly [name: string]: string }
  /** Those that stay as they are, and a word of why. */
  readonly left: { readonly [name: string]: string }
}

/** Invented, and taken apart so that no scanner takes it for a real one. */
export const SECRET = ['ghp', 'Zq8Wv3Lk7Rt1Xc5Bn9Mj2Hd6Fs4GpAyUe0Io'].join('_')
