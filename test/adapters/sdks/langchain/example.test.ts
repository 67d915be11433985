import { describeExample } from '../../support/run-example.ts'

describeExample('langchain', import.meta.dirname)
