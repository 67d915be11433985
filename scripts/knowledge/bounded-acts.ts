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
  'mass',
  'mass_verbs',
  'repliers',
  'progress',
  'shown_acts',
  'additions',
  'areas',
)

/** The lists of `tools/hidden-effects.yaml`. */
export const HIDDEN_EFFECTS = words(
  'expiry',
  'expiry_arguments',
  'personal_columns',
  'exporters',
  'destinations',
  'settings',
  'prose',
  'mirrors',
  'starters',
  'automations',
  'automatic_acts',
  'automatic_harm',
  'people_lists',
  'sensitive_arguments',
  'program_hosts',
  'weak_expiry',
  'stored',
  'pipeline_files',
)
