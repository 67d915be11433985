import { words } from './word-domain.ts'

/** The lists of `tools/bounded-acts.yaml`. */
export const BOUNDED_ACTS = words(
  'recipients',
  'more_recipients',
  'crowds',
  'messengers',
  'payers',
  'pipelines',
  'releasing',
  'previews',
  'sensitive_columns',
  'expiry',
  'expiry_arguments',
  'personal_columns',
  'exporters',
  'destinations',
  'settings',
  'prose',
  'mirrors',
  'mass',
  'mass_verbs',
)
