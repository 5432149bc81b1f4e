// A stage with one service, for tests of what a killed stage leaves: prints the service's pid.
import { createStage } from '../stage.mjs';

const stage = createStage();
const service = stage.service('sleeper', ['-e', 'setInterval(() => {}, 1000)']);
console.log(service.child.pid);
