import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the server that `shared-server.ts` started for this project. */
    readonly postgres: string
  }
}

process.env['COUNTERSIGN_TEST_SERVER'] = inject('postgres')
