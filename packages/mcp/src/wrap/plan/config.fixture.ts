/** Realistic configuration files, at least one per client, with comments and odd spacing. */
export interface ConfigFixture {
  readonly client: string
  /** Below the account's home or the project. */
  readonly path: string
  readonly text: string
  /** The servers to wrap, with their original command or URL. */
  readonly wrapped: { readonly [name: string]: string }
  /** The servers left unchanged, with a word of the reason. */
  readonly left: { readonly [name: string]: string }
}

/** Made up, and split so that scanners do not report it. */
export const SECRET = ['ghp', 'Zq8Wv3Lk7Rt1Xc5Bn9Mj2Hd6Fs4GpAyUe0Io'].join('_')
