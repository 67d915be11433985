import type { Places } from '../model/circumstances.ts'

/** Invented folders for policy tests, the same on every machine. */
export const TEST_PLACES: Places = Object.freeze({
  workspace: '/home/you/project',
  home: '/home/you',
  gate: '/home/you/.countersign',
  temp: '/tmp',
})
