import { recipes } from '../../host/installation';
import { describeVersion } from './olderN8n';

describeVersion('1.123', recipes.n8n1_123);
